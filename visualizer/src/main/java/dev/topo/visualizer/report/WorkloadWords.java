package dev.topo.visualizer.report;

import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.GroupSpread;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadMemory;
import dev.topo.visualizer.structure.MemorySentence;
import dev.topo.visualizer.view.RangedNumber;
import java.util.Optional;
import java.util.OptionalDouble;

/** Words the communication of a job, for its page and its text. */
public final class WorkloadWords {
  private WorkloadWords() {}

  /** States the number of ranks, where they run, and what was traced. */
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

  /** What communication times refer to: a step, or all calls. */
  public static String whole(Workload workload) {
    return workload.step().map(Workload.Step::isMarked).orElse(false) ? "a step" : "all calls";
  }

  /** Returns the range of an expected time; empty if none is known. */
  public static Optional<String> range(Expected expected) {
    return expected.lowUs().isPresent() && expected.highUs().isPresent()
        ? Optional.of(
            QuantityFormat.times(expected.lowUs().getAsDouble(), expected.highUs().getAsDouble()))
        : Optional.empty();
  }

  /** Returns the name of a group, with the number of groups if there are several. */
  public static String groups(String name, CallSite site) {
    return site.groups() > 1 ? name + ", " + site.groups() + " groups" : name;
  }

  /** Describes the memory on the rank where NCCL takes most. */
  public static String memory(WorkloadMemory memory) {
    return "NCCL takes %s%s of the GPU of rank %s, and %s of shared memory of its host"
        .formatted(
            MemorySentence.qualifier(memory.total().isMeasuredBuild(), memory.total().omissions()),
            QuantityFormat.size(memory.total().gpuBytes()),
            memory.rank(),
            QuantityFormat.size(memory.total().hostSharedBytes()));
  }

  /**
   * Returns the remark on the slowest of the groups of one kind; empty if the scatter of the groups
   * explains its time.
   */
  public static String remark(GroupSpread spread) {
    return spread.isApart() ? "slower than the others" : "";
  }

  /** Formats an expected time with its range, with as many digits as the range justifies. */
  public static String expected(Expected expected) {
    return new RangedNumber(expected.timeUs(), expected.lowUs(), expected.highUs())
        .time(RangedNumber::text);
  }

  public static String ratio(OptionalDouble ratio) {
    return ratio.isPresent() ? TextWriter.format("%.2f", ratio.getAsDouble()) : "-";
  }

  public static String launch(SiteComparison comparison) {
    String measured = comparison.site().shape().map(LaunchSize::label).orElse("-");
    String expected = comparison.expected().map(time -> time.shape().label()).orElse("-");
    return measured.equals(expected)
        ? measured
        : comparison.site().shape().isEmpty()
            ? expected + " expected"
            : measured + (expected.equals("-") ? "" : ", expected " + expected);
  }

  public static String percent(OptionalDouble fraction) {
    return QuantityFormat.percent(fraction.orElse(0), 0);
  }
}
