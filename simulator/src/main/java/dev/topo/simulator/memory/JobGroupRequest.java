package dev.topo.simulator.memory;

import dev.topo.model.job.GroupRule;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A kind of group of a job, before its communicators are evaluated.
 *
 * @param name name of the kind, as in {@code tp}
 * @param members the communicators; equal ones form one member
 * @param steps the calls of each communicator, in order; the first one creates it
 */
public record JobGroupRequest(String name, List<Member> members, List<MemoryStep> steps) {
  public JobGroupRequest {
    members = List.copyOf(members);
    steps = List.copyOf(steps);
  }

  /**
   * Equal communicators.
   *
   * @param request request of one of them, whose ranks start at 0
   * @param ranks for each communicator, the rank in the job of each of its ranks
   */
  public record Member(JobRequest request, List<List<Integer>> ranks) {
    public Member {
      ranks = List.copyOf(ranks);
    }
  }

  /**
   * The kind of group that divides the ranks of a job by a rule.
   *
   * @param parts the communicators of the division
   * @param requests returns the request of a communicator
   */
  public static JobGroupRequest of(
      String name,
      GroupRule rule,
      List<JobPart> parts,
      Function<JobPart, JobRequest> requests,
      List<MemoryStep> steps) {
    Map<Integer, List<Integer>> ranks = rule.groups(parts.get(0).whole().nRanks());
    return new JobGroupRequest(
        name,
        parts.stream()
            .map(
                part ->
                    new Member(
                        requests.apply(part),
                        part.colors().stream()
                            .map(color -> Objects.requireNonNull(ranks.get(color)))
                            .toList()))
            .toList(),
        steps);
  }

  /** Evaluates the communicators of this kind. */
  JobGroupKind evaluated(JobEvaluator evaluator) {
    return with(
        members.stream()
            .map(member -> evaluator.evaluate(member.request()).communicator())
            .toList());
  }

  /**
   * This kind with evaluated communicators.
   *
   * @param evaluated the communicator of each member
   */
  JobGroupKind with(List<Communicator> evaluated) {
    List<JobGroupKind.Member> evaluatedMembers = new ArrayList<>();
    for (int member = 0; member < members.size(); member++) {
      for (List<Integer> ranks : members.get(member).ranks()) {
        evaluatedMembers.add(new JobGroupKind.Member(evaluated.get(member), ranks));
      }
    }
    return new JobGroupKind(name, evaluatedMembers, steps);
  }
}
