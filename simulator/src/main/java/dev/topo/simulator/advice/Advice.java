package dev.topo.simulator.advice;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.search.bound.OperationBound;
import dev.topo.simulator.evaluate.JobResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Changes that make the calls of a job faster.
 *
 * @param now the job as it is
 * @param may what the user may change
 * @param gains what is known of gains
 * @param calls the calls, each by itself
 * @param plan what is best for all of them together
 * @param tries the setups that a measurement can compare with the job as it is
 * @param graph better graphs; empty where they may not be changed
 * @param bounds what no schedule on the links of the machine exceeds, by operation; none where no
 *     link with a known rate limits it
 */
public record Advice(
    JobResult now,
    Set<Permission> may,
    GainFinder gains,
    List<CallAdvice> calls,
    Plan plan,
    List<Setup> tries,
    Optional<GraphAnswer> graph,
    Map<Operation, OperationBound> bounds) {
  public Advice {
    may = Set.copyOf(may);
    calls = List.copyOf(calls);
    tries = List.copyOf(tries);
    bounds = Map.copyOf(bounds);
  }

  /** The time that no setting beats in microseconds; empty where no bound is known. */
  public OptionalDouble boundUs(Call call) {
    OperationBound bound = bounds.get(call.operation());
    return bound == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(bound.timeUs(call.sizeBytes()));
  }
}
