package dev.topo.simulator.verdict;

import dev.topo.inspect.log.FailureSign;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.verdict.MeasurementVerdict.Outcome;
import dev.topo.simulator.verdict.RunVerdict.Grade;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A measured run with verdicts on its calls.
 *
 * @param file the name of the file of the measurements
 * @param failures evidence that the run failed, the worst first
 * @param forecast predictions for the measurements
 * @param collectives the verdicts on collectives
 * @param peers the verdicts on sends and receives
 */
public record JudgedRun(
    String file,
    List<FailureSign> failures,
    CommunicatorPredictions forecast,
    List<MeasurementVerdict> collectives,
    List<PeerVerdict> peers) {
  public JudgedRun {
    failures = List.copyOf(failures);
    collectives = List.copyOf(collectives);
    peers = List.copyOf(peers);
  }

  /** Creates the verdicts on a run with a forecast of their predictions. */
  public static JudgedRun of(
      String file,
      List<FailureSign> failures,
      String title,
      JobResult result,
      List<MeasurementVerdict> collectives,
      List<PeerVerdict> peers) {
    return new JudgedRun(
        file,
        failures,
        new CommunicatorPredictions(
            title,
            result,
            List.of(),
            collectives.stream().map(MeasurementVerdict::prediction).toList(),
            peers.stream().map(PeerVerdict::prediction).toList()),
        collectives,
        peers);
  }

  /** All verdicts, those on collectives first. */
  public List<Verdict> all() {
    return Stream.<Verdict>concat(collectives.stream(), peers.stream()).toList();
  }

  /** True if the run ended well, all results are right, and no call is slower than expected. */
  public boolean passes() {
    return failures.isEmpty() && all().stream().allMatch(Verdict::passes);
  }

  /** The calls that fail, the one farthest beyond its tolerance first. */
  public List<Verdict> failed() {
    return all().stream()
        .filter(call -> call.outcome() == Outcome.FAIL)
        .sorted(Comparator.comparingDouble(Verdict::partOfTolerance).reversed())
        .toList();
  }

  /** True if calls fail, but in no band of sizes most of them: single ones are slow by chance. */
  public boolean isSlowOnlyAtSingleSizes() {
    return !failed().isEmpty()
        && RunVerdict.of(file, this, false, OptionalDouble.empty(), Baseline.NONE, List.of())
                .grade()
            == Grade.PASS;
  }
}
