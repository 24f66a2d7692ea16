package dev.topo.simulator.variant;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The graphs, choices and times of a job, for a comparison with another.
 *
 * @param failure why there is no answer; empty if there is one
 * @param nRanks number of ranks, 0 if it fails
 * @param channels the numbers of channels, 0 if it fails
 * @param graphs the graphs of the first node after all nodes have agreed on the minimum
 * @param predictions the predictions with NCCL's choices, without refused calls
 * @param calibration name of the constants of the times; empty for NCCL's own model
 */
public record JobAnswer(
    Optional<JobFailure> failure,
    int nRanks,
    ChannelCounts channels,
    List<ChannelGraph> graphs,
    Map<Call, Prediction> predictions,
    Optional<String> calibration) {
  public JobAnswer {
    graphs = List.copyOf(graphs);
    predictions = Collections.unmodifiableMap(new LinkedHashMap<>(predictions));
  }

  /** Evaluates a job; a failed answer if NCCL would not start it. */
  public static JobAnswer of(JobEvaluator evaluator, JobRequest request) {
    try {
      return of(evaluator.evaluate(request));
    } catch (UnusableTopologyException e) {
      return failed(JobFailure.of(e));
    }
  }

  /** The answer of an evaluated job. */
  static JobAnswer of(JobResult result) {
    return new JobAnswer(
        Optional.empty(),
        result.connection().nRanks(),
        ChannelCounts.of(result.communicator()),
        result.connection().agreedGraphs(0).all(),
        result.predictions(),
        result.predictor().calibration().map(Calibration::name));
  }

  /** True if the behaviour of NCCL is unknown. */
  public boolean isUnknown() {
    return failure.filter(JobFailure::isOfRules).isPresent();
  }

  /** A job without an answer. */
  static JobAnswer failed(JobFailure failure) {
    return new JobAnswer(
        Optional.of(failure), 0, ChannelCounts.NONE, List.of(), Map.of(), Optional.empty());
  }
}
