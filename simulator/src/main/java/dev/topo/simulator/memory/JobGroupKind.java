package dev.topo.simulator.memory;

import dev.topo.search.tuning.Communicator;
import java.util.List;

/**
 * Communicators of one kind of group of a job, such as those of tensor parallelism, with their
 * calls.
 *
 * @param name name of the kind, as in {@code tp}
 * @param members the communicators; a rank is in at most one of them
 * @param steps the calls of each communicator, in order; the first one creates it
 */
public record JobGroupKind(String name, List<Member> members, List<MemoryStep> steps) {
  public JobGroupKind {
    members = List.copyOf(members);
    steps = List.copyOf(steps);
  }

  /**
   * A communicator of a kind of group.
   *
   * @param communicator the communicator, whose ranks start at 0
   * @param ranks rank in the job of each of its ranks
   */
  public record Member(Communicator communicator, List<Integer> ranks) {
    public Member {
      ranks = List.copyOf(ranks);
    }
  }
}
