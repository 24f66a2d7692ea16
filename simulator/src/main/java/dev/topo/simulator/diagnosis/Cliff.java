package dev.topo.simulator.diagnosis;

import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import java.util.Optional;

/**
 * A size at which NCCL's choice takes longer than what was measured to do the same or more.
 *
 * @param ranks number of ranks
 * @param bytes the size
 * @param timeUs what NCCL's choice takes, out of place
 * @param reason why that is too long
 * @param pair the algorithm and protocol to run instead; empty if the measurements do not name it
 * @param insteadBytes the size that was measured to take less, at least {@code bytes}
 * @param insteadTimeUs what that takes
 * @param neededPercent how much less it has to take to be more than noise
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
  /** Reasons for a time that is too long. */
  public enum Reason {
    /** NCCL's choice for a larger size takes less time. */
    LARGER_IS_FASTER("larger-is-faster"),
    /** Another algorithm or protocol takes less time at this size. */
    OTHER_PAIR_IS_FASTER("other-pair-is-faster"),
    /** Another algorithm or protocol takes less time even at a larger size. */
    OTHER_PAIR_OF_LARGER_IS_FASTER("other-pair-of-larger-is-faster");

    private final String id;

    Reason(String id) {
      this.id = id;
    }

    public String id() {
      return id;
    }
  }

  /** Loss of a call in microseconds. */
  double lossUs() {
    return timeUs - insteadTimeUs;
  }

  /** Loss of a call in percent of its time. */
  public double lossPercent() {
    return 100 * lossUs() / timeUs;
  }
}
