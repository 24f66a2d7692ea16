package dev.topo.advice;

import dev.topo.advice.lever.GainFinder;
import dev.topo.advice.lever.Permission;
import dev.topo.simulator.evaluate.JobResult;
import java.util.List;
import java.util.Set;

/**
 * What would make the calls of a job faster.
 *
 * @param now the job as it is
 * @param may what the user may change
 * @param gains what is known of gains
 * @param calls the calls, each by itself
 * @param plan what is best for all of them together
 */
public record Advice(
    JobResult now, Set<Permission> may, GainFinder gains, List<CallAdvice> calls, Plan plan) {
  public Advice {
    may = Set.copyOf(may);
    calls = List.copyOf(calls);
  }
}
