package dev.topo.simulator.compare;

import dev.topo.simulator.Prediction.Source;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The job in which differences are tried.
 *
 * @param nodes number of nodes
 * @param nRanks number of ranks, 0 if NCCL fails
 * @param failure why NCCL fails on the job before any difference; empty if it does not
 * @param calibrations names of the constants that go with the machines; none where there are none
 * @param sources what the busbw of all jobs rests on
 * @param shownBytes sizes whose busbw the text states
 */
public record DiffSettings(
    int nodes,
    int nRanks,
    Optional<String> failure,
    List<String> calibrations,
    Set<Source> sources,
    List<Long> shownBytes) {
  /** Copies its parts. */
  public DiffSettings {
    calibrations = List.copyOf(calibrations);
    sources = Set.copyOf(sources);
    shownBytes = List.copyOf(shownBytes);
  }
}
