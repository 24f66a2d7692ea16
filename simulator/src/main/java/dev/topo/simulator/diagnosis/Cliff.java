package dev.topo.simulator.diagnosis;

import dev.topo.model.Labels;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import java.util.Optional;

/**
 * A size at which NCCL's choice takes longer than a measured alternative for as much or more data.
 *
 * @param ranks number of ranks
 * @param bytes the size
 * @param timeUs time of NCCL's choice, out of place
 * @param reason why the time is too long
 * @param pair the algorithm and protocol to run instead; empty if the measurements do not name them
 * @param insteadBytes size of the faster alternative, at least {@code bytes}
 * @param insteadTimeUs time of the alternative
 * @param neededPercent least difference, in percent of the time, that is more than noise
 */
public record Cliff(
    Collective collective,
    int ranks,
    long bytes,
    double timeUs,
    Reason reason,
    Optional<Pair> pair,
    long insteadBytes,
    double insteadTimeUs,
    double neededPercent) {
  /** Reasons why a time is too long. */
  public enum Reason {
    /** NCCL's choice for a larger size takes less time. */
    LARGER_IS_FASTER,
    /** Another algorithm or protocol takes less time at this size. */
    OTHER_PAIR_IS_FASTER,
    /** Another algorithm or protocol takes less time even at a larger size. */
    OTHER_PAIR_OF_LARGER_IS_FASTER;

    public String id() {
      return Labels.of(this);
    }
  }

  /** Time lost by a call, in microseconds. */
  double lossUs() {
    return timeUs - insteadTimeUs;
  }

  /** Time lost by a call, in percent of its time. */
  public double lossPercent() {
    return 100 * lossUs() / timeUs;
  }
}
