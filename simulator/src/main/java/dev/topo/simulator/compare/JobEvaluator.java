package dev.topo.simulator.compare;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.Job;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.CallPlanner;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Works out what NCCL makes of jobs, always for the same calls. */
public final class JobEvaluator {
  /** One process for each GPU, as launchers do it. */
  private static final int GPUS_PER_PROCESS = 1;

  private final GraphSource graphs;
  private final List<CollectiveCall> calls;
  private final Function<CallPlanner, Predictor> predictors;

  /**
   * An evaluator.
   *
   * @param graphs where the graphs come from
   * @param calls the calls to predict
   * @param predictors what tells how long they take
   */
  public JobEvaluator(
      GraphSource graphs, List<CollectiveCall> calls, Function<CallPlanner, Predictor> predictors) {
    this.graphs = graphs;
    this.calls = List.copyOf(calls);
    this.predictors = predictors;
  }

  /** What NCCL makes of a job; that it gives up is an answer, too. */
  public JobAnswer evaluate(Job job) {
    try {
      Communicator communicator = Communicator.of(job, graphs);
      Predictor predictor = predictors.apply(new CallPlanner(communicator, GPUS_PER_PROCESS));
      Map<CollectiveCall, Prediction> predictions = new LinkedHashMap<>();
      for (CollectiveCall call : calls) {
        predictor.predict(call, false).ifPresent(p -> predictions.put(call, p));
      }
      List<ChannelGraph> agreed = communicator.connection().agreedGraphs(0).all();
      return new JobAnswer(
          Optional.empty(), communicator.connection().nRanks(), agreed, predictions);
    } catch (UnusableTopologyException e) {
      return JobAnswer.failed(String.valueOf(e.getMessage()));
    }
  }
}
