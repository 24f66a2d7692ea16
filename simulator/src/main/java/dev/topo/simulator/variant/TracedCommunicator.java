package dev.topo.simulator.variant;

import dev.topo.model.Alike;
import dev.topo.search.connect.Connection;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.explain.SearchTrace;
import dev.topo.search.path.Domain;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A communicator with a trace of the search on each kind of its nodes.
 *
 * @param nodes the kinds of nodes, ordered by first number
 */
public record TracedCommunicator(
    Communicator communicator, CallPredictor predictor, List<TracedNodes> nodes) {
  public TracedCommunicator {
    nodes = List.copyOf(nodes);
  }

  /**
   * Equal nodes.
   *
   * @param numbers their numbers
   * @param domain their devices
   * @param trace the search on them
   */
  public record TracedNodes(List<Integer> numbers, Domain domain, SearchTrace trace) {
    public TracedNodes {
      numbers = List.copyOf(numbers);
    }

    /** The first of them. */
    public int first() {
      return numbers.get(0);
    }
  }

  /** Searches, connects and tunes a job, without predictions, and records the searches. */
  public static TracedCommunicator of(JobEvaluator evaluator, JobRequest request) {
    Map<Domain, SearchTrace> traces = new IdentityHashMap<>();
    JobEvaluator traced =
        evaluator.with(
            (domain, settings, inputs) -> {
              SearchTrace trace = new SearchTrace();
              traces.put(domain, trace);
              return GraphSearch.findAll(domain, settings, inputs, trace);
            });
    JobResult result = traced.evaluate(request.withCalls(List.of()));
    Communicator communicator = result.communicator();
    Connection connection = communicator.connection();
    return new TracedCommunicator(
        communicator,
        result.predictor(),
        Alike.by(connection.nNodes(), connection::domain).entrySet().stream()
            .map(
                nodes ->
                    new TracedNodes(
                        nodes.getValue(),
                        nodes.getKey(),
                        Objects.requireNonNull(traces.get(nodes.getKey()))))
            .toList());
  }
}
