package dev.topo.simulator.memory;

import dev.topo.inspect.measured.MeasuredMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Compares predicted and measured memory, by rank and step.
 *
 * @param rows the steps of each measured rank, in order
 */
public record MemoryComparison(List<Row> rows) {
  /**
   * Memory of a rank in a step.
   *
   * @param step the step, as in {@code all_reduce 256 MiB}
   * @param rank the rank in the job
   * @param gpu bytes on its GPU
   * @param hostShared shared resident memory of its process; empty if not measured
   */
  public record Row(String step, int rank, Pair gpu, Optional<Pair> hostShared) {
    /** True if predicted and measured memory are equal. */
    public boolean isEqual() {
      return gpu.difference() == 0 && hostShared.stream().allMatch(pair -> pair.difference() == 0);
    }
  }

  /** Predicted and measured bytes. */
  public record Pair(long predicted, long measured) {
    /** Predicted minus measured bytes. */
    public long difference() {
      return predicted - measured;
    }
  }

  public MemoryComparison {
    rows = List.copyOf(rows);
  }

  /**
   * Compares an answer with measurements of its steps.
   *
   * @throws IllegalArgumentException if a rank is not part of the job, or ranks have different
   *     steps
   */
  public static MemoryComparison of(MemoryAnswer answer, MeasuredMemory measured) {
    List<Row> rows = new ArrayList<>();
    for (int rank : measured.ranks()) {
      if (rank >= answer.nRanks()) {
        throw new IllegalArgumentException(
            "has rank %s, the job has %s ranks".formatted(rank, answer.nRanks()));
      }
      List<StepMemory> steps = answer.ofRank(rank);
      List<MeasuredMemory.Row> ofRank = measured.ofRank(rank);
      for (int i = 0; i < Math.max(steps.size(), ofRank.size()); i++) {
        if (i >= Math.min(steps.size(), ofRank.size())
            || !MemoryStep.parse(ofRank.get(i).step()).label().equals(label(steps.get(i)))) {
          throw new IllegalArgumentException(
              "rank %s has other steps than rank %s".formatted(rank, measured.ranks().get(0)));
        }
        rows.add(row(steps.get(i), ofRank.get(i)));
      }
    }
    return new MemoryComparison(rows);
  }

  /** Measured steps, in order. */
  public static List<MemoryStep> steps(MeasuredMemory measured) {
    return measured.ofRank(measured.ranks().get(0)).stream()
        .map(row -> MemoryStep.parse(row.step()))
        .toList();
  }

  private static String label(StepMemory step) {
    return step.step().label();
  }

  private static Row row(StepMemory predicted, MeasuredMemory.Row measured) {
    OptionalLong host = measured.hostSharedBytes();
    return new Row(
        label(predicted),
        predicted.rank(),
        new Pair(predicted.gpuBytes(), measured.gpuBytes()),
        host.isPresent()
            ? Optional.of(new Pair(predicted.hostSharedBytes(), host.getAsLong()))
            : Optional.empty());
  }

  /** True if predicted and measured memory are equal in every step. */
  public boolean isEqual() {
    return rows.stream().allMatch(Row::isEqual);
  }

  /** The row with the largest difference on the GPU; empty if all are equal. */
  public Optional<Row> worstOnGpu() {
    return rows.stream()
        .filter(row -> row.gpu.difference() != 0)
        .max(Comparator.comparingLong(row -> Math.abs(row.gpu.difference())));
  }

  /** The row with the largest difference in shared memory of the host; empty if all are equal. */
  public Optional<Row> worstOnHost() {
    return rows.stream()
        .filter(row -> row.hostShared.stream().anyMatch(pair -> pair.difference() != 0))
        .max(
            Comparator.comparingLong(
                row -> Math.abs(row.hostShared.map(Pair::difference).orElse(0L))));
  }

  /** The rank to show if only one is shown: the one with the largest difference, or the first. */
  public int shownRank() {
    return worstOnGpu().or(this::worstOnHost).orElse(rows.get(0)).rank;
  }

  /** Rows of a rank. */
  public List<Row> ofRank(int rank) {
    return rows.stream().filter(row -> row.rank == rank).toList();
  }

  /** Number of measured ranks. */
  public int nRanks() {
    return (int) rows.stream().mapToInt(Row::rank).distinct().count();
  }
}
