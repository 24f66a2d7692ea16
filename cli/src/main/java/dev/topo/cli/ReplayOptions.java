package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.model.job.SettingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options for replaying the calls of a traced job. */
final class ReplayOptions {
  /** Options whose values the traces determine, or that a replay does not support. */
  private static final Set<String> REFUSED =
      Set.of(
          "-t -g -b -e -i -f -m -w -N -c -o -d -r -z -G -C -a -R -M -I -K -S -u -y --estimate --corrupt --split"
              .split(" "));

  @Option(
      names = "--workload",
      paramLabel = "TRACE",
      arity = "1..*",
      description = {
        "Replay the calls of a job instead of COLLECTIVE: sizes, groups and order from its traces,",
        "as topo workload reads them. A process and a GPU for each rank; -n is the number of rounds."
      })
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--gaps",
      description = "With --workload: leave the GPUs idle between calls for as long as in the job.")
  private boolean hasGaps;

  @Option(
      names = "--format",
      description =
          "With --workload: ${COMPLETION-CANDIDATES} (default: text; of --output FILE by its ending).")
  private TextJsonOrCsv format = TextJsonOrCsv.text;

  /** True if a job is to be replayed. */
  boolean isWanted() {
    return !files.isEmpty();
  }

  /** The traces. */
  List<Path> files() {
    return List.copyOf(files);
  }

  /** True if the GPUs stay idle between calls for as long as in the job. */
  boolean hasGaps() {
    return hasGaps;
  }

  /** The format of the answer. */
  TextJsonOrCsv format() {
    return format;
  }

  /**
   * Refuses options that cannot be combined.
   *
   * @param collective the collective that the user names; empty if none
   * @throws SettingException if options cannot be combined, or there is nothing to run
   */
  void check(ParseResult given, String collective) {
    if (!isWanted()) {
      refuseIf(
          hasGaps || given.hasMatchedOption("--format"),
          "--gaps and --format: expected --workload TRACE");
      refuseIf(
          collective.isEmpty(),
          "expected COLLECTIVE, as in topo run all_reduce, or --workload TRACE");
      return;
    }
    refuseIf(
        !collective.isEmpty(),
        collective + " and --workload: expected one of them, traces have the calls");
    for (OptionSpec option : given.matchedOptions()) {
      refuseIf(
          REFUSED.contains(option.shortestName()),
          "%s cannot be combined with --workload: the traces say which calls are made"
              .formatted(option.shortestName()));
    }
  }
}
