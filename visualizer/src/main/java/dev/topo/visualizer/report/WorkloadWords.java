package dev.topo.visualizer.report;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.GroupSpread;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadMemory;
import dev.topo.visualizer.structure.MemoryHeadline;
import java.util.Optional;

/** A job's communication in words, shared by its page and its text. */
public final class WorkloadWords {
  private WorkloadWords() {}

  /** Number of ranks, where they are, and what was traced. */
  public static String origin(Workload workload, String place) {
    return "%s %s; %s%s"
        .formatted(
            QuantityFormat.count(workload.worldSize(), "rank"),
            place,
            workload.tracedRanks() == 0
                ? "calls of all ranks"
                : "traces of " + QuantityFormat.count(workload.tracedRanks(), "rank"),
            workload.ncclVersion().map(version -> ", NCCL " + version).orElse(""));
  }

  /** The whole to which the times of communication belong. */
  public static String whole(Workload workload) {
    return workload.step().map(Workload.Step::isMarked).orElse(false) ? "a step" : "all calls";
  }

  /** The range of an expected time; empty where none is known. */
  public static Optional<String> range(Expected expected) {
    return expected.lowUs().isPresent() && expected.highUs().isPresent()
        ? Optional.of(
            QuantityFormat.times(expected.lowUs().getAsDouble(), expected.highUs().getAsDouble()))
        : Optional.empty();
  }

  /** The name of a group, with the number of groups if there are several. */
  public static String groups(String name, CallSite site) {
    return site.groups() > 1 ? name + ", " + site.groups() + " groups" : name;
  }

  /** The memory that NCCL takes on the rank where it takes most. */
  public static String memory(WorkloadMemory memory) {
    return "NCCL takes %s%s of the GPU of rank %s, and %s of shared memory of its host"
        .formatted(
            MemoryHeadline.qualifier(memory.total().isMeasuredBuild(), memory.total().omissions()),
            QuantityFormat.size(memory.total().gpuBytes()),
            memory.rank(),
            QuantityFormat.size(memory.total().hostSharedBytes()));
  }

  /** The remark on the slowest of groups of one kind; empty where their scatter explains it. */
  public static String remark(GroupSpread spread) {
    return spread.isApart() ? "slower than the others" : "";
  }
}
