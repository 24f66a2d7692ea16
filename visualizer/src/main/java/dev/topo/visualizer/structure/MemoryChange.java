package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.visualizer.view.Fields;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The memory that NCCL takes for a job before and after a change. */
public final class MemoryChange {
  /** The memory of a job. */
  public static final Fields<JobMemory> MEMORY =
      Fields.of(JobMemory.class)
          .components("gpuBytes", "hostSharedBytes")
          .field("estimated", JobMemory::isEstimate);

  private MemoryChange() {}

  /**
   * The difference in one line; empty where there is none, or one of both is not known.
   *
   * @param ranks of the job; the line of one that is too large says so
   */
  public static Optional<String> line(
      int ranks, Optional<JobMemory> before, Optional<JobMemory> after) {
    if (JobMemory.isTooLarge(ranks)) {
      return Optional.of(
          "memory: not compared in a job of more than %s; topo memory answers for each file"
              .formatted(QuantityFormat.count(JobMemory.MOST_RANKS, "rank")));
    }
    return before.flatMap(was -> after.flatMap(is -> line(was, is)));
  }

  private static Optional<String> line(JobMemory was, JobMemory is) {
    String gpu = difference("of a GPU", was.gpuBytes(), is.gpuBytes());
    String host = difference("of the host", was.hostSharedBytes(), is.hostSharedBytes());
    return gpu.isEmpty() && host.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "memory%s: NCCL takes %s for these calls"
                .formatted(
                    remark(was, is), gpu + (gpu.isEmpty() || host.isEmpty() ? "" : ", ") + host));
  }

  /** Restrictions of the figures of two jobs: not measured, or not complete. */
  public static String remark(JobMemory was, JobMemory is) {
    String omissions =
        Stream.concat(was.omissions().stream(), is.omissions().stream())
            .distinct()
            .collect(Collectors.joining(", "));
    return (was.isMeasuredBuild() && is.isMeasuredBuild() ? "" : ", about")
        + (omissions.isEmpty() ? "" : ", without " + omissions);
  }

  private static String difference(String where, long was, long is) {
    return was == is
        ? ""
        : "%s %s %s (%s → %s)"
            .formatted(
                QuantityFormat.size(Math.abs(is - was)),
                is > was ? "more" : "less",
                where,
                QuantityFormat.size(was),
                QuantityFormat.size(is));
  }
}
