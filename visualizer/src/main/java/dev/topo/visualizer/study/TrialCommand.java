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

/** Builds the one command that measures all changes whose gain is uncertain. */
final class TrialCommand {
  private static final String TRY = " --try";

  private TrialCommand() {}

  /**
   * Returns the command: on one node, the same question with {@code --try}; across nodes, a loop of
   * nccl-tests that runs each operation unchanged first.
   *
   * @param maxChanges the maximum number of changes
   * @param command the command line of the question; empty if there is none
   */
  static String of(
      AdviceReport report, List<MeasurementRanking> ranking, int maxChanges, String command) {
    if (report.now().communicator().nNodes() == 1) {
      return (command.isEmpty() ? "topo advise FILE" : command.replace(TRY, "")) + TRY;
    }
    String own = settings(report.ownSettings().values());
    Set<String> runs = new LinkedHashSet<>();
    for (MeasurementRanking measurementRanking : ranking.stream().limit(maxChanges).toList()) {
      Alternative best = MeasurementRanking.variant(measurementRanking.best());
      String operation = best.call().operation().ncclTestsName();
      runs.add(run(operation, Buffers.PLAIN, own));
      runs.add(run(operation, best.setup().buffers(), own + " " + change(best)));
    }
    return "for x in %s; do set -- $x; op=$1; r=$2; shift 2; mpirun -np %s $@ ${op}_perf -b 1M -e 1G -f 4 -R $r; done"
        .formatted(String.join(" ", runs), report.nRanks());
  }

  /** The arguments of one run: the operation, the registration of its buffers and the settings. */
  private static String run(String operation, Buffers buffers, String settings) {
    return "'%s'"
        .formatted(
            "%s %s %s".formatted(operation, registration(buffers), settings.strip()).strip());
  }

  /** The value of the option -R of nccl-tests. */
  private static int registration(Buffers buffers) {
    return switch (buffers) {
      case PLAIN -> 0;
      case REGISTERED -> 1;
      case SYMMETRIC -> 2;
    };
  }

  /**
   * The changes as options of mpirun; the choice of the tuner becomes settings that apply to all
   * sizes of a run.
   */
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
