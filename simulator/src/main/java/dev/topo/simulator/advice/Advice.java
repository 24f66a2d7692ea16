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
 * @param may changes that the user allows
 * @param gains compares alternatives with the job as it is
 * @param calls the best alternative of each call
 * @param plan the best settings for all calls together
 * @param tries the setups that are worth a measurement against the job as it is
 * @param graph a better graph or the reason why there is none; empty if the user does not allow
 *     graphs
 * @param bounds bounds of any schedule on the links of the machine, by operation; no entry if no
 *     link with a known rate limits the operation
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

  /** The least time of a call under any setting, in microseconds; empty if no bound is known. */
  public OptionalDouble boundUs(Call call) {
    OperationBound bound = bounds.get(call.operation());
    return bound == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(bound.timeUs(call.sizeBytes()));
  }
}
