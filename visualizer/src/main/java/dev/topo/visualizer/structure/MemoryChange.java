package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.visualizer.view.Fields;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The memory that NCCL takes for a job, before and after a change. */
public final class MemoryChange {
  /** The JSON fields of the memory of a job. */
  public static final Fields<JobMemory> MEMORY =
      Fields.of(JobMemory.class)
          .components("gpuBytes", "hostSharedBytes")
          .field("estimated", JobMemory::isEstimate);

  private MemoryChange() {}

  /**
   * Returns the difference in one line; empty if there is none or if either side is unknown.
   *
   * @param ranks the number of ranks; for jobs that are too large, the line says so
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

  /** Qualifies the figures of two jobs: estimated for lack of a measured build, or incomplete. */
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
