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
   * A kind of group that a rule makes of the ranks of a job.
   *
   * @param parts the communicators of that split
   * @param requests a communicator as if it were alone
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

  /** The kind with its communicators as NCCL sets them up. */
  JobGroupKind made(JobEvaluator evaluator) {
    return with(
        members.stream()
            .map(member -> evaluator.evaluate(member.request()).communicator())
            .toList());
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
