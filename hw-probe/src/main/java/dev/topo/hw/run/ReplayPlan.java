package dev.topo.hw.run;

import java.util.List;

/**
 * The calls of a job that are replayed.
 *
 * @param nRanks number of ranks of the job, each a GPU
 * @param groups the communicators: the ranks of each, in its own order
 * @param calls the calls, each kind once
 * @param steps the calls of a round, in the order of the job
 * @param rounds how often all steps are made, without a first round that is not measured
 */
public record ReplayPlan(
    int nRanks, List<List<Integer>> groups, List<ReplayCall> calls, List<Step> steps, int rounds) {
  /**
   * A call at its place in a round.
   *
   * @param call the place among the calls of the plan
   * @param gapUs for how long the GPUs are left idle before it
   */
  public record Step(int call, double gapUs) {}

  /** Checks that calls fit their communicators. */
  public ReplayPlan {
    groups = groups.stream().map(List::copyOf).toList();
    calls = List.copyOf(calls);
    steps = List.copyOf(steps);
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds %d: expected at least 1".formatted(rounds));
    }
    for (ReplayCall call : calls) {
      if (call.parts().size() != groups.get(call.group()).size()) {
        throw new IllegalArgumentException(
            "%s: parts of %d ranks in a group of %d"
                .formatted(call.name(), call.parts().size(), groups.get(call.group()).size()));
      }
    }
  }

  /** The size of the largest buffer of a GPU. */
  public long bufferBytes() {
    return calls.stream().mapToLong(ReplayCall::bufferBytes).max().orElse(0);
  }
}
