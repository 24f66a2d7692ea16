package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.CallOptions.PairOptions;
import dev.topo.cli.option.MeasurementFile;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.CommandContext;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.search.rules.ReleaseRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that name the measurements for the fit and for its check. */
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
   * The runs that have measurements.
   *
   * @param runs the runs to fit to
   * @param others the runs to check the fit with
   * @param rules the rules of the release that the user names, else of the last run
   * @param caveats differences between the releases of the runs and that of the rules
   */
  record Read(
      List<MeasuredRun> runs, List<MeasuredRun> others, ReleaseRules rules, List<Caveat> caveats) {
    List<MeasuredRun> all() {
      return Stream.concat(runs.stream(), others.stream()).toList();
    }
  }

  /**
   * Refuses options without files or, if the calibration is written, without files to fit to.
   *
   * @param isWritten whether the new calibration is written to a file
   */
  void check(boolean isWritten) {
    refuseIf(
        count() == 0,
        "expected a FILE with measured times to fit to, or --against FILE (--help shows an"
            + " example)");
    refuseIf(
        files.isEmpty() && isWritten,
        "-o writes the fitted calibration: expected a FILE with measured times");
  }

  /**
   * Refuses files and output, neither of which {@code --show} uses.
   *
   * @param isWritten whether a calibration is to be written to a file
   */
  void checkNone(boolean isWritten) {
    refuseIf(count() > 0 || isWritten, "--show fits nothing: expected no FILE, --against and -o");
  }

  /**
   * The topology file of {@code --plan}, which needs no measurements.
   *
   * @param isWritten whether a calibration is to be written to a file
   */
  List<Path> ofPlan(boolean isWritten) {
    refuseIf(
        files.size() != 1 || !against.isEmpty() || isWritten,
        "--plan FILE: expected one topology, and no --against and -o");
    return files;
  }

  /** The number of files. */
  int count() {
    return files.size() + against.size();
  }

  /** The file that messages about all files name. */
  Path first() {
    return (files.isEmpty() ? against : files).get(0);
  }

  /**
   * Reads the files; notes on stderr those without measurements.
   *
   * @param ranks ranks of files that do not state them
   * @param step called before each file
   */
  Read read(
      Optional<Integer> ranks, VersionOptions version, CommandContext context, Runnable step) {
    RunHints hints =
        new RunHints(
            Optional.empty(),
            ranks.map(OptionalInt::of).orElse(OptionalInt.empty()),
            pairs.forced());
    ReleaseRules rules = version.rules();
    List<Caveat> caveats = new ArrayList<>();
    List<List<MeasuredRun>> runsOfOptions = new ArrayList<>();
    for (List<Path> paths : List.of(files, against)) {
      List<MeasuredRun> runs = new ArrayList<>();
      for (Path path : paths) {
        step.run();
        MeasuredRun run = MeasurementFile.read(path, hints, version, context);
        rules = version.rules(run.origin());
        caveats.addAll(RunMismatches.ofRelease(run.file(), run.origin(), rules));
        if (run.measurements().isEmpty() && run.peers().isEmpty()) {
          context.streams().message("note: " + path + " " + run.emptyReason());
        } else {
          runs.add(run);
        }
      }
      runsOfOptions.add(runs);
    }
    return new Read(runsOfOptions.get(0), runsOfOptions.get(1), rules, caveats);
  }
}
