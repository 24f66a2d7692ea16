package dev.topo.simulator.compare;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What NCCL does for a job, for a comparison with another.
 *
 * @param failure why it fails; empty if it does not
 * @param nRanks number of ranks, 0 if it fails
 * @param graphs the graphs of the first node after all nodes have agreed: what is worst in the job
 *     counts
 * @param predictions what calls take by NCCL's choice; without those that it refuses
 */
record JobAnswer(
    Optional<String> failure,
    int nRanks,
    List<ChannelGraph> graphs,
    Map<CollectiveCall, Prediction> predictions) {

  /** Evaluates a job, also one that NCCL would not start. */
  static JobAnswer of(JobEvaluator evaluator, JobRequest request) {
    try {
      JobResult result = evaluator.evaluate(request);
      return new JobAnswer(
          Optional.empty(),
          result.connection().nRanks(),
          result.connection().agreedGraphs(0).all(),
          result.predictions());
    } catch (UnusableTopologyException e) {
      return new JobAnswer(Optional.of(String.valueOf(e.getMessage())), 0, List.of(), Map.of());
    }
  }
}
