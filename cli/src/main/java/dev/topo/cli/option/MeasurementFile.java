package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.visualizer.view.Envelope;
import java.nio.file.Path;

/** Reads measurements and reports on stderr what their file leaves open. */
public final class MeasurementFile {
  private MeasurementFile() {}

  /**
   * The contents of a file; prints doubts about them on stderr.
   *
   * @throws TopologyFormatException if it cannot be read
   */
  public static MeasuredRun readAny(
      Path file, RunHints unsaid, VersionOptions version, Inputs inputs, Streams streams) {
    MeasuredRun run = RunReader.read(file, unsaid, inputs);
    RunMismatches.ofRelease(run.file(), run.origin(), version.rules(run.origin()))
        .forEach(caveat -> Envelope.report(caveat, streams::message));
    run.doubts().forEach(doubt -> streams.message("note: " + file + ": " + doubt));
    return run;
  }

  /**
   * The measurements of a file; prints doubts about them on stderr.
   *
   * @throws TopologyFormatException if there are none, not even wrong ones
   */
  public static MeasuredRun read(
      Path file, RunHints unsaid, VersionOptions version, Inputs inputs, Streams streams) {
    MeasuredRun run = readAny(file, unsaid, version, inputs, streams);
    if (run.measurements().isEmpty() && run.wrong().isEmpty()) {
      throw new TopologyFormatException(SourceLocation.of(run.file()), run.emptyReason());
    }
    return run;
  }
}
