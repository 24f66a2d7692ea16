package dev.topo.simulator.memory;

import dev.topo.search.tuning.Communicator;
import java.util.List;

/**
 * The communicators of one kind of group of a job, as those of tensor parallelism, and their calls.
 *
 * @param name the kind, as in {@code tp}
 * @param members the communicators, of which each rank is in one at most
 * @param steps the calls of each in order, the first of which makes it
 */
public record JobGroupKind(String name, List<Member> members, List<MemoryStep> steps) {
  public JobGroupKind {
    members = List.copyOf(members);
    steps = List.copyOf(steps);
  }

  /**
   * A communicator.
   *
   * @param communicator as if it were alone
   * @param ranks its ranks in the job, in order
   */
  public record Member(Communicator communicator, List<Integer> ranks) {
    public Member {
      ranks = List.copyOf(ranks);
    }
  }
}
