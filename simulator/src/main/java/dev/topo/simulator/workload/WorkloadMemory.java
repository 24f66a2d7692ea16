package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.memory.GroupsModel;
import dev.topo.simulator.memory.JobGroupKind;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.simulator.memory.StepMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The memory that NCCL takes for the communicators of a traced job: the sum over all groups of a
 * rank. Each group is created by {@code ncclCommInitRank} and makes the calls in the traces.
 *
 * @param rank the rank on whose GPU NCCL takes the most memory
 * @param total the memory taken on that GPU and, for its process, on the host
 * @param groups the memory that the groups of that rank take, by title
 * @param gaps sentences about what the figures do not include
 */
public record WorkloadMemory(int rank, JobMemory total, List<OfGroup> groups, List<String> gaps) {
  public WorkloadMemory {
    groups = List.copyOf(groups);
    gaps = List.copyOf(gaps);
  }

  /**
   * Memory of the groups of a rank with one title.
   *
   * @param title the title of the groups
   * @param communicators number of these groups that contain the rank
   * @param gpuBytes bytes on the GPU; for the first group including what a process takes once
   * @param hostSharedBytes bytes of shared resident memory of the process
   */
  public record OfGroup(String title, int communicators, long gpuBytes, long hostSharedBytes) {}

  /** Groups with one title and the same calls. */
  private record Kind(String title, List<MemoryStep> steps) {}

  /**
   * Computes the memory for the calls of some sites.
   *
   * @param nRanks number of ranks of the job
   * @param ranks returns the ranks of a group in the job
   * @param groups evaluates the communicator of a group
   * @return the memory; empty if no group of several ranks could be evaluated
   */
  public static Optional<WorkloadMemory> of(
      List<CallSite> sites,
      int nRanks,
      Function<ProcessGroup, List<Integer>> ranks,
      Function<ProcessGroup, JobResult> groups) {
    Map<ProcessGroup, Set<Call>> calls = new LinkedHashMap<>();
    Set<String> gaps = new LinkedHashSet<>();
    for (CallSite site : sites) {
      CallKind kind = site.kind();
      if (kind.group().size() < 2) {
        gaps.add("memory of groups of one rank is not in the figures");
      } else {
        Set<Call> known = calls.computeIfAbsent(kind.group(), key -> new LinkedHashSet<>());
        kind.call()
            .ifPresentOrElse(
                known::add,
                () -> gaps.add("memory of calls of no known operation is not in the figures"));
        if (kind.isPair()) {
          gaps.add(
              "memory of sends and receives between two ranks is that of each rank with the next one");
        }
      }
    }
    Map<Kind, List<JobGroupKind.Member>> kinds = new LinkedHashMap<>();
    calls.forEach(
        (group, known) -> {
          try {
            JobResult result = groups.apply(group);
            kinds
                .computeIfAbsent(
                    new Kind(group.title(), steps(result, known, gaps)), key -> new ArrayList<>())
                .add(new JobGroupKind.Member(result.communicator(), ranks.apply(group)));
          } catch (SettingException | UnusableTopologyException e) {
            gaps.add(
                "memory of group %s is not known: %s".formatted(group.title(), e.getMessage()));
          }
        });
    return kinds.isEmpty() ? Optional.empty() : Optional.of(of(nRanks, kinds, gaps));
  }

  private static WorkloadMemory of(
      int nRanks, Map<Kind, List<JobGroupKind.Member>> kinds, Set<String> gaps) {
    List<JobGroupKind> jobGroupKinds = new ArrayList<>();
    kinds.forEach(
        (kind, members) -> jobGroupKinds.add(new JobGroupKind(kind.title, members, kind.steps)));
    MemoryAnswer answer = new GroupsModel(nRanks, jobGroupKinds).answer();
    int rank = answer.fullestRank();
    Map<String, Long> gpu = new LinkedHashMap<>();
    Map<String, Long> host = new LinkedHashMap<>();
    for (StepMemory step : answer.ofRank(rank)) {
      String title = ((MemoryStep.OfGroup) step.step()).name();
      gpu.merge(title, step.gpuBytes(), Long::sum);
      host.merge(title, step.bytes(MemoryPlace.HOST_SHARED), Long::sum);
    }
    List<OfGroup> groups = new ArrayList<>();
    gpu.forEach(
        (title, bytes) -> {
          int communicators =
              (int)
                  jobGroupKinds.stream()
                      .filter(kind -> kind.name().equals(title))
                      .flatMap(kind -> kind.members().stream())
                      .filter(member -> member.ranks().contains(rank))
                      .count();
          if (communicators > 0) {
            groups.add(
                new OfGroup(title, communicators, bytes, Objects.requireNonNull(host.get(title))));
          }
        });
    List<String> allGaps = new ArrayList<>(gaps);
    allGaps.addAll(answer.notes());
    return new WorkloadMemory(rank, JobMemory.of(answer), groups, allGaps);
  }

  private static List<MemoryStep> steps(JobResult result, Set<Call> calls, Set<String> gaps) {
    Optional<String> absence = PeerPlanner.absence(result.connection().profile());
    if (absence.isPresent() && calls.stream().anyMatch(PeerCall.class::isInstance)) {
      gaps.add("memory of sends and receives is not in the figures: " + absence.get());
    }
    return JobMemory.steps(
        result.request().context().buffers(),
        calls.stream()
            .filter(call -> absence.isEmpty() || call instanceof CollectiveCall)
            .toList());
  }
}
