package dev.topo.inspect.measured;

import dev.topo.inspect.log.RunOrigin;
import java.util.List;
import java.util.OptionalLong;

/**
 * Memory that NCCL was measured to take, by step and rank.
 *
 * @param file name of the file, for messages
 * @param origin the release of the run, where the file names it
 * @param rows in the order of the file: of each rank the steps in their order
 */
public record MeasuredMemory(String file, RunOrigin origin, List<Row> rows) {
  /**
   * Memory that a rank took in a step.
   *
   * @param step the step, as {@code topo memory --steps} names it
   * @param rank the rank in the job
   * @param gpuBytes fall of the free memory of its GPU
   * @param hostSharedBytes growth of the shared resident memory of its process; empty where it was
   *     not measured
   */
  public record Row(String step, int rank, long gpuBytes, OptionalLong hostSharedBytes) {}

  public MeasuredMemory {
    rows = List.copyOf(rows);
  }

  /** The ranks that were measured, ascending. */
  public List<Integer> ranks() {
    return rows.stream().map(Row::rank).distinct().sorted().toList();
  }

  /** The rows of a rank. */
  public List<Row> ofRank(int rank) {
    return rows.stream().filter(row -> row.rank == rank).toList();
  }
}
