package dev.topo.simulator.memory;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The memory that NCCL takes of a job, by step and rank.
 *
 * @param nRanks ranks of the job
 * @param steps in the order of the steps, then of the ranks
 * @param isMeasuredBuild whether what the library itself takes was measured with this release on
 *     such GPUs; an estimate else
 * @param multicastObjects how many multicast objects each rank creates for NVLS, for all ranks of
 *     its node; without those of registered buffers and windows
 * @param gaps parts of the figures that are not based on measurements, for people
 * @param omissions memory that NCCL takes and that is not in the figures, for people
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

  /** The parts of the figures that are not based on measurements, and what is not in them. */
  public List<String> notes() {
    return Stream.concat(
            gaps.stream(), omissions.stream().map(part -> "not in the figures: " + part))
        .toList();
  }

  /** Memory of each rank in all steps together, without buffers of the application. */
  public long[] totals(MemoryPlace place) {
    long[] totals = new long[nRanks];
    for (StepMemory step : steps) {
      if (!(step.step() instanceof MemoryStep.Allocation)) {
        totals[step.rank()] += step.bytes(place);
      }
    }
    return totals;
  }

  /** Memory of a rank in all steps together, without buffers of the application. */
  public long total(int rank, MemoryPlace place) {
    return totals(place)[rank];
  }

  /** The rank whose GPU NCCL takes most of; the first of several. */
  public int fullestRank() {
    long[] totals = totals(MemoryPlace.GPU);
    int fullest = 0;
    for (int rank = 1; rank < nRanks; rank++) {
      fullest = totals[rank] > totals[fullest] ? rank : fullest;
    }
    return fullest;
  }

  /** The parts of all steps of a rank, equal ones added, largest first. */
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

  /** The steps of a rank, in order. */
  public List<StepMemory> ofRank(int rank) {
    return steps.stream().filter(step -> step.rank() == rank).toList();
  }
}
