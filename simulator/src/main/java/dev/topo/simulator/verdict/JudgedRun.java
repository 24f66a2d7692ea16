package dev.topo.simulator.verdict;

import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobResult;
import java.util.List;
import java.util.stream.Stream;

/**
 * A measured run with verdicts on its calls.
 *
 * @param file the name of the file of the measurements
 * @param forecast predictions for the measurements
 * @param collectives the verdicts on collectives
 * @param peers the verdicts on sends and receives
 */
public record JudgedRun(
    String file,
    CommunicatorPredictions forecast,
    List<MeasurementVerdict> collectives,
    List<PeerVerdict> peers) {
  public JudgedRun {
    collectives = List.copyOf(collectives);
    peers = List.copyOf(peers);
  }

  /** Creates the verdicts on a run with a forecast of their predictions. */
  public static JudgedRun of(
      String file,
      String title,
      JobResult result,
      List<MeasurementVerdict> collectives,
      List<PeerVerdict> peers) {
    return new JudgedRun(
        file,
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

  /** True if all results are right and no call is slower than expected. */
  public boolean passes() {
    return all().stream().allMatch(Verdict::passes);
  }
}
