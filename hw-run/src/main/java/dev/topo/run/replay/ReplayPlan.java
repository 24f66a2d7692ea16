package dev.topo.run.replay;

import java.util.List;

/**
 * The calls of a job that are replayed.
 *
 * @param nRanks number of ranks of the job, each a GPU
 * @param groups the communicators: the ranks of each, in its own order
 * @param calls the calls
 * @param rounds how often all calls are made, at least 2: the first round is not measured
 */
public record ReplayPlan(
    int nRanks, List<List<Integer>> groups, List<ReplayCall> calls, int rounds) {
  /** The least number of rounds. */
  public static final int FEWEST_ROUNDS = 2;

  /** Copies the lists and checks that calls fit their communicators. */
  public ReplayPlan {
    groups = groups.stream().map(List::copyOf).toList();
    calls = List.copyOf(calls);
    if (rounds < FEWEST_ROUNDS) {
      throw new IllegalArgumentException(
          "rounds %d: expected at least %d, the first is not measured"
              .formatted(rounds, FEWEST_ROUNDS));
    }
    for (ReplayCall call : calls) {
      if (call.parts().size() != groups.get(call.group()).size()) {
        throw new IllegalArgumentException(
            "%s: parts of %d ranks in a group of %d"
                .formatted(call.name(), call.parts().size(), groups.get(call.group()).size()));
      }
    }
  }

  /** What the largest buffer of a GPU needs. */
  public long bufferBytes() {
    return calls.stream().mapToLong(ReplayCall::bufferBytes).max().orElse(0);
  }
}
