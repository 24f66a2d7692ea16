package dev.topo.simulator.workload;

import dev.topo.inspect.trace.ProcessGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Scales a job by data parallelism. The larger job is several copies of the traced one, each with
 * its own groups; only the data-parallel groups span all copies. Sizes and numbers of calls, and
 * computation, stay the same, as each rank keeps its parameters.
 *
 * @param copies number of copies of the traced ranks
 * @param worldSize number of ranks of the traced job
 * @param groups names of the data-parallel groups
 */
public record ParallelScale(int copies, int worldSize, Set<String> groups) {
  private static final Pattern DATA_PARALLEL =
      Pattern.compile(
          "(^|[^a-z])(dp|ddp|fsdp|hsdp|data|replicate|shard)", Pattern.CASE_INSENSITIVE);

  public ParallelScale {
    groups = Set.copyOf(groups);
  }

  /** The scale of the job as it was traced. */
  public static ParallelScale none(int worldSize) {
    return new ParallelScale(1, worldSize, Set.of());
  }

  /**
   * Scales a job whose data-parallel groups are those whose title contains a word that begins with
   * dp, ddp, fsdp, hsdp, data, replicate or shard or, if there are none, those of all ranks.
   */
  static ParallelScale of(int copies, Workload workload) {
    List<ProcessGroup> groups =
        workload.sites().stream().map(CallSite::kind).map(kind -> kind.group()).distinct().toList();
    Set<String> named =
        groups.stream()
            .filter(group -> DATA_PARALLEL.matcher(group.title().toLowerCase(Locale.ROOT)).find())
            .map(ProcessGroup::title)
            .collect(Collectors.toSet());
    Set<String> ofAllRanks =
        groups.stream()
            .filter(group -> group.size() == workload.worldSize())
            .map(ProcessGroup::title)
            .collect(Collectors.toSet());
    return new ParallelScale(copies, workload.worldSize(), named.isEmpty() ? ofAllRanks : named);
  }

  /**
   * The ranks of a group in the larger job; of other than data-parallel groups, in the first copy.
   */
  public List<Integer> ranks(ProcessGroup group) {
    if (copies == 1 || !groups.contains(group.title())) {
      return group.ranks();
    }
    List<Integer> ranks = new ArrayList<>();
    for (int copy = 0; copy < copies; copy++) {
      for (int rank : group.ranks()) {
        ranks.add(copy * worldSize + rank);
      }
    }
    return ranks;
  }
}
