package dev.topo.cli;

import dev.topo.cli.option.CallOptions.PairOptions;
import dev.topo.cli.option.MeasurementFile;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.SettingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options for the measurements that a calibration is fitted to and checked with. */
final class CalibrationRuns {
  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Measured times to fit to.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--against",
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Measured times to check the calibration with, not used for the fit; may be repeated.")
  private List<Path> against = new ArrayList<>();

  @Mixin private PairOptions pairs = new PairOptions();

  /**
   * Runs of files that have measurements.
   *
   * @param runs those to fit to
   * @param others those to check with
   * @param caveats how the releases of the runs differ from that of the rules
   */
  record Read(List<MeasuredRun> runs, List<MeasuredRun> others, List<Caveat> caveats) {
    List<MeasuredRun> all() {
      return Stream.concat(runs.stream(), others.stream()).toList();
    }
  }

  /**
   * Makes sure that there are files.
   *
   * @param isWritten whether the user wants the calibration
   */
  void check(boolean isWritten) {
    if (count() == 0) {
      throw new SettingException(
          "expected a FILE with measured times to fit to, or --against FILE (--help shows an example)");
    }
    if (files.isEmpty() && isWritten) {
      throw new SettingException(
          "-o writes the fitted calibration: expected a FILE with measured times");
    }
  }

  /**
   * Makes sure that there is nothing to fit to.
   *
   * @param isWritten whether the user wants a calibration
   */
  void checkNone(boolean isWritten) {
    if (count() > 0 || isWritten) {
      throw new SettingException("--show fits nothing: expected no FILE, --against and -o");
    }
  }

  /** Number of files. */
  int count() {
    return files.size() + against.size();
  }

  /** The file that messages about all of them name. */
  Path first() {
    return (files.isEmpty() ? against : files).get(0);
  }

  /**
   * Reads the files; notes those without measurements.
   *
   * @param version follows the release of the runs, where the user names none
   * @param step called before each file
   */
  Read read(VersionOptions version, Inputs inputs, Streams streams, Runnable step) {
    List<Caveat> caveats = new ArrayList<>();
    Function<Path, Optional<MeasuredRun>> reader =
        reader(version, inputs, streams, caveats::addAll);
    List<List<MeasuredRun>> both = new ArrayList<>();
    for (List<Path> paths : List.of(files, against)) {
      List<MeasuredRun> runs = new ArrayList<>();
      for (Path path : paths) {
        step.run();
        reader.apply(path).ifPresent(runs::add);
      }
      both.add(runs);
    }
    return new Read(both.get(0), both.get(1), caveats);
  }

  /** Reads a file; empty without measurements. */
  private Function<Path, Optional<MeasuredRun>> reader(
      VersionOptions version, Inputs inputs, Streams streams, Consumer<List<Caveat>> caveats) {
    RunHints unsaid = new RunHints(Optional.empty(), OptionalInt.empty(), pairs.forced());
    return path -> {
      MeasuredRun run = MeasurementFile.readAny(path, unsaid, version, inputs, streams);
      caveats.accept(RunMismatches.ofRelease(run.file(), run.origin(), version.rules()));
      if (run.measurements().isEmpty()) {
        streams.message("note: " + path + " " + run.emptyReason());
        return Optional.empty();
      }
      return Optional.of(run);
    };
  }
}
