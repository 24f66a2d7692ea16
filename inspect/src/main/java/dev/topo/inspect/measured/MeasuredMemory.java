package dev.topo.inspect.measured;

import dev.topo.inspect.log.RunOrigin;
import java.util.List;
import java.util.OptionalLong;

/**
 * Measured memory of NCCL, by step and rank.
 *
 * @param origin the release of the run, if the file names it
 * @param rows in the order of the file, with the steps of each rank in order
 */
public record MeasuredMemory(RunOrigin origin, List<Row> rows) {
  /**
   * Memory of a rank in a step.
   *
   * @param step the step, as {@code topo memory --steps} names it
   * @param rank the rank in the job
   * @param gpuBytes decrease of the free memory of its GPU
   * @param hostSharedBytes growth of the shared resident memory of its process; empty if not
   *     measured
   */
  public record Row(String step, int rank, long gpuBytes, OptionalLong hostSharedBytes) {}

  public MeasuredMemory {
    rows = List.copyOf(rows);
  }

  /** Measured ranks, ascending. */
  public List<Integer> ranks() {
    return rows.stream().map(Row::rank).distinct().sorted().toList();
  }

  /** Rows of a rank. */
  public List<Row> ofRank(int rank) {
    return rows.stream().filter(row -> row.rank == rank).toList();
  }
}
