package dev.topo.cli.output.change;

import java.util.List;
import java.util.Optional;

/**
 * The job in which differences are tried.
 *
 * @param nodes number of nodes
 * @param nRanks number of ranks, 0 if NCCL gives up
 * @param failure why NCCL gives up on the job before any difference; empty if it does not
 * @param calibration names of the constants of the machines
 * @param isCalibrated whether busbw rests on measured ones alone
 * @param shownBytes sizes whose busbw the text states
 */
public record DiffSettings(
    int nodes,
    int nRanks,
    Optional<String> failure,
    String calibration,
    boolean isCalibrated,
    List<Long> shownBytes) {
  /** Copies the sizes. */
  public DiffSettings {
    shownBytes = List.copyOf(shownBytes);
  }
}
