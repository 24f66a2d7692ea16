package dev.topo.cli.option;

import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.visualizer.view.Envelope;
import java.nio.file.Path;

/** Reads measurements and reports doubts about them on stderr. */
public final class MeasurementFile {
  private MeasurementFile() {}

  /**
   * Reads a file of measurements. Prints doubts about it, and differences in release, on stderr.
   *
   * @param hints facts that apply if the file does not state them
   */
  public static MeasuredRun read(
      Path file, RunHints hints, VersionOptions version, CommandContext context) {
    MeasuredRun run = RunReader.read(file, hints, context.inputs());
    Streams streams = context.streams();
    RunMismatches.ofRelease(run.file(), run.origin(), version.rules(run.origin()))
        .forEach(caveat -> Envelope.report(caveat, streams::message));
    run.doubts().forEach(doubt -> streams.message("note: " + file + ": " + doubt));
    return run;
  }
}
