package dev.topo.simulator.memory;

import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * One kind of group of a job before its communicators are evaluated.
 *
 * @param name the kind, as in {@code tp}
 * @param members its communicators, equal ones once
 * @param steps the calls of each in order, the first of which makes it
 */
public record JobGroupRequest(String name, List<Member> members, List<MemoryStep> steps) {
  public JobGroupRequest {
    members = List.copyOf(members);
    steps = List.copyOf(steps);
  }

  /**
   * Equal communicators.
   *
   * @param request one of them, as if it were alone
   * @param ranks the ranks of each in the job, in order
   */
  public record Member(JobRequest request, List<List<Integer>> ranks) {
    public Member {
      ranks = List.copyOf(ranks);
    }
  }

  /**
   * The kind with its communicators.
   *
   * @param evaluated that of each member
   */
  public JobGroupKind with(List<Communicator> evaluated) {
    List<JobGroupKind.Member> all = new ArrayList<>();
    for (int member = 0; member < members.size(); member++) {
      for (List<Integer> ranks : members.get(member).ranks()) {
        all.add(new JobGroupKind.Member(evaluated.get(member), ranks));
      }
    }
    return new JobGroupKind(name, all, steps);
  }
}
