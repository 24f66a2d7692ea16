package dev.topo.simulator.compare;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Prediction.Source;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What NCCL makes of a job.
 *
 * @param failure why it gives up; empty if it does not
 * @param nRanks number of ranks, 0 if it gives up
 * @param graphs the graphs of the first node after all nodes have agreed: what is worst in the job
 *     counts
 * @param predictions what calls take by NCCL's choice; without those that it refuses
 */
public record JobAnswer(
    Optional<String> failure,
    int nRanks,
    List<ChannelGraph> graphs,
    Map<CollectiveCall, Prediction> predictions) {
  /** Copies its parts. */
  public JobAnswer {
    Objects.requireNonNull(failure, "failure");
    graphs = List.copyOf(graphs);
    predictions = Collections.unmodifiableMap(new LinkedHashMap<>(predictions));
  }

  /** The answer that NCCL gives up. */
  static JobAnswer failed(String reason) {
    return new JobAnswer(Optional.of(reason), 0, List.of(), Map.of());
  }

  /** What the predictions rest on. */
  public Set<Source> sources() {
    return predictions.values().stream().map(Prediction::source).collect(Collectors.toSet());
  }
}
