package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.Alternative;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The command that measures all changes which only a measurement can judge. */
final class TrialCommand {
  private static final String TRY = " --try";

  private TrialCommand() {}

  /**
   * On one node, the command line with {@code --try}; between nodes, a loop of nccl-tests that
   * begins with each operation unchanged.
   *
   * @param most number of changes to measure
   * @param command the command line of the question; empty without one
   */
  static String of(
      AdviceReport report, List<MeasurementRanking> ranking, int most, String command) {
    if (report.now().communicator().facts().nNodes() == 1) {
      return (command.isEmpty() ? "topo advise FILE" : command.replace(TRY, "")) + TRY;
    }
    String own = settings(report.ownSettings().values());
    Set<String> runs = new LinkedHashSet<>();
    for (MeasurementRanking measurementRanking : ranking.stream().limit(most).toList()) {
      Alternative best = MeasurementRanking.variant(measurementRanking.best());
      String operation = best.call().operation().ncclTestsName();
      runs.add(run(operation, Buffers.PLAIN, own));
      runs.add(run(operation, best.setup().buffers(), own + " " + change(best)));
    }
    return "for x in %s; do set -- $x; op=$1; r=$2; shift 2; mpirun -np %s $@ ${op}_perf -b 1M -e 1G -f 4 -R $r; done"
        .formatted(String.join(" ", runs), report.nRanks());
  }

  /** The arguments of a run: operation, buffer registration and settings. */
  private static String run(String operation, Buffers buffers, String settings) {
    return "'%s'"
        .formatted(
            "%s %s %s".formatted(operation, registration(buffers), settings.strip()).strip());
  }

  /** The option -R of nccl-tests. */
  private static int registration(Buffers buffers) {
    return switch (buffers) {
      case PLAIN -> 0;
      case REGISTERED -> 1;
      case SYMMETRIC -> 2;
    };
  }

  /** The settings of an alternative. The tuner's choice becomes settings for all sizes of a run. */
  private static String change(Alternative best) {
    List<String> words = new ArrayList<>(List.of(settings(best.setup().settings().values())));
    best.forced()
        .ifPresent(
            pair ->
                words.add(
                    "-x NCCL_ALGO=%s -x NCCL_PROTO=%s"
                        .formatted(pair.algorithm().label(), pair.protocol().label())));
    return String.join(" ", words).strip();
  }

  private static String settings(Map<String, String> values) {
    return QuantityFormat.joined(
        " ", values.entrySet(), entry -> "-x " + entry.getKey() + "=" + entry.getValue());
  }
}
