package dev.topo.simulator.memory;

import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Derives the memory that NCCL takes on each GPU and host of a job whose ranks are members of
 * several groups, each created by {@code ncclCommInitRank}. Each rank is a process, so that the
 * memory of the library and its kernels counts once.
 *
 * @param nRanks number of ranks of the job
 * @param groups kinds of groups in the order of their creation; at least one
 */
public record GroupsModel(int nRanks, List<JobGroupKind> groups) {
  public GroupsModel {
    groups = List.copyOf(groups);
  }

  /** Evaluates the communicators of a job, and returns their model. */
  public static GroupsModel of(JobEvaluator evaluator, int nRanks, List<JobGroupRequest> groups) {
    return new GroupsModel(nRanks, groups.stream().map(kind -> kind.evaluated(evaluator)).toList());
  }

  /**
   * Memory that the steps of all kinds of groups take, in order.
   *
   * @throws IllegalArgumentException if a step splits a communicator or allocates buffers
   */
  public MemoryAnswer answer() {
    Communicator first = groups.get(0).members().get(0).communicator();
    MemorySettings settings = MemorySettings.of(first.connection().settings(), first.profile());
    LibraryBuild build = LibraryBuild.of(first);
    RankMemory[] accounts = new RankMemory[nRanks];
    Arrays.setAll(accounts, rank -> new RankMemory(build, settings.cuMem()));
    List<StepMemory> answers = new ArrayList<>();
    Set<String> gaps = new LinkedHashSet<>();
    Set<String> omissions = new LinkedHashSet<>();
    for (JobGroupKind kind : groups) {
      List<GroupMemory> members = new ArrayList<>();
      for (JobGroupKind.Member member : kind.members()) {
        members.add(group(member, settings, accounts));
        gaps.addAll(MemoryModel.gaps(member.communicator(), build));
        omissions.addAll(MemoryModel.omissions(member.communicator()));
      }
      for (MemoryStep step : kind.steps()) {
        members.forEach(group -> run(group, step));
        for (int rank = 0; rank < nRanks; rank++) {
          answers.add(
              new StepMemory(
                  new MemoryStep.OfGroup(kind.name(), step), rank, accounts[rank].drain()));
        }
      }
    }
    return new MemoryAnswer(
        nRanks,
        answers,
        build.measured(),
        Arrays.stream(accounts).map(RankMemory::multicastObjects).toList(),
        List.copyOf(gaps),
        List.copyOf(omissions));
  }

  private static GroupMemory group(
      JobGroupKind.Member member, MemorySettings settings, RankMemory[] accounts) {
    int[] ranks = member.ranks().stream().mapToInt(Integer::intValue).toArray();
    Links[] links = Links.create(ranks.length);
    return new GroupMemory(member.communicator(), settings, ranks, links, accounts, true);
  }

  private static void run(GroupMemory group, MemoryStep step) {
    if (step instanceof MemoryStep.Init) {
      group.initialize();
    } else if (step instanceof MemoryStep.CollectiveStep call
        && call.group() == MemoryStep.Group.JOB) {
      group.call(call.call(), call.buffers());
    } else if (step instanceof MemoryStep.PeerStep call && call.group() == MemoryStep.Group.JOB) {
      group.call(call.operation(), call.sizeBytes());
    } else if (step == MemoryStep.OfBuffers.WINDOWS) {
      group.openWindows();
    } else if (!(step instanceof MemoryStep.OfBuffers)) {
      throw new IllegalArgumentException(
          "'%s': a group does not split or allocate".formatted(step.label()));
    }
  }
}
