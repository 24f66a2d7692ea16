package dev.topo.hw.run;

import java.util.List;

/**
 * Calls of a job to replay.
 *
 * @param nRanks number of ranks of the job, each on a GPU of its own
 * @param groups the communicators: the ranks of each, in its own order
 * @param calls the distinct kinds of calls
 * @param steps the calls of a round, in the order of the job
 * @param rounds number of measured rounds, after one warm-up round
 */
public record ReplayPlan(
    int nRanks, List<List<Integer>> groups, List<ReplayCall> calls, List<Step> steps, int rounds) {
  /**
   * Call at its position in a round.
   *
   * @param call its index among the calls of the plan
   * @param gapUs idle time of the GPUs before it, in µs
   */
  public record Step(int call, double gapUs) {}

  /** Checks that calls fit their communicators. */
  public ReplayPlan {
    groups = groups.stream().map(List::copyOf).toList();
    calls = List.copyOf(calls);
    steps = List.copyOf(steps);
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds %s: expected at least 1".formatted(rounds));
    }
    for (ReplayCall call : calls) {
      if (call.parts().size() != groups.get(call.group()).size()) {
        throw new IllegalArgumentException(
            "%s: parts of %s ranks in a group of %s"
                .formatted(call.name(), call.parts().size(), groups.get(call.group()).size()));
      }
    }
  }

  /** Size of the largest buffer of a GPU. */
  long bufferBytes() {
    return calls.stream().mapToLong(ReplayCall::bufferBytes).max().orElse(0);
  }
}
