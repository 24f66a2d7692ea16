package dev.topo.simulator.memory;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Memory that NCCL takes for a job, by step and rank.
 *
 * @param nRanks ranks of the job
 * @param steps in the order of the steps, then of the ranks
 * @param isMeasuredBuild whether the library's own memory was measured with this release on such
 *     GPUs; otherwise it is an estimate
 * @param multicastObjects number of multicast objects that each rank creates for NVLS on behalf of
 *     all ranks of its node; without those of registered buffers and windows
 * @param gaps parts of the figures that are not based on measurements, in words
 * @param omissions memory of NCCL that the figures do not include, in words
 */
public record MemoryAnswer(
    int nRanks,
    List<StepMemory> steps,
    boolean isMeasuredBuild,
    List<Integer> multicastObjects,
    List<String> gaps,
    List<String> omissions) {
  public MemoryAnswer {
    steps = List.copyOf(steps);
    multicastObjects = List.copyOf(multicastObjects);
    gaps = List.copyOf(gaps);
    omissions = List.copyOf(omissions);
  }

  /** Gaps and omissions of the figures, in words. */
  public List<String> notes() {
    return Stream.concat(
            gaps.stream(), omissions.stream().map(part -> "not in the figures: " + part))
        .toList();
  }

  /** Bytes of each rank over all steps, without buffers of the application. */
  public long[] totals(MemoryPlace place) {
    long[] totals = new long[nRanks];
    for (StepMemory step : steps) {
      if (!(step.step() instanceof MemoryStep.Allocation)) {
        totals[step.rank()] += step.bytes(place);
      }
    }
    return totals;
  }

  /** Bytes of a rank over all steps, without buffers of the application. */
  public long total(int rank, MemoryPlace place) {
    return totals(place)[rank];
  }

  /** The rank whose GPU has the most memory of NCCL; on ties the first. */
  public int fullestRank() {
    long[] totals = totals(MemoryPlace.GPU);
    int fullest = 0;
    for (int rank = 1; rank < nRanks; rank++) {
      fullest = totals[rank] > totals[fullest] ? rank : fullest;
    }
    return fullest;
  }

  /**
   * The parts of all steps of a rank, summed by purpose and place; the largest of a place first.
   */
  public List<MemoryPart> parts(int rank) {
    Map<MemoryPlace, Map<String, Long>> sums = new LinkedHashMap<>();
    steps.stream()
        .filter(step -> step.rank() == rank)
        .filter(step -> !(step.step() instanceof MemoryStep.Allocation))
        .flatMap(step -> step.parts().stream())
        .forEach(
            part ->
                sums.computeIfAbsent(part.place(), key -> new LinkedHashMap<>())
                    .merge(part.what(), part.bytes(), Long::sum));
    return sums.entrySet().stream()
        .flatMap(
            place ->
                place.getValue().entrySet().stream()
                    .map(what -> new MemoryPart(what.getKey(), place.getKey(), what.getValue())))
        .sorted(
            Comparator.comparing(MemoryPart::place)
                .thenComparing(Comparator.comparingLong(MemoryPart::bytes).reversed()))
        .toList();
  }

  /** Steps of a rank, in order. */
  public List<StepMemory> ofRank(int rank) {
    return steps.stream().filter(step -> step.rank() == rank).toList();
  }
}
