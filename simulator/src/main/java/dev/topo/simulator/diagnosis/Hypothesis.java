package dev.topo.simulator.diagnosis;

import java.util.Optional;

/**
 * Possible deviation of a job from the healthy one.
 *
 * @param kind the cause; empty for the healthy job
 * @param detail the case in words
 * @param prior prior weight of the cause; the weights need not add up to 1
 * @param edits edits of the job, in the language of {@code topo whatif}; empty if the fault changes
 *     only times
 * @param effect change of the predicted times
 */
record Hypothesis(
    Optional<CauseKind> kind, String detail, double prior, String edits, Effect effect) {
  /** Creates a fault that edits the job. */
  static Hypothesis edited(CauseKind kind, String detail, double prior, String edits) {
    return new Hypothesis(Optional.of(kind), detail, prior, edits, Effect.NONE);
  }

  /** Creates a fault that changes only the times. */
  static Hypothesis ofTimes(CauseKind kind, String detail, double prior, Effect effect) {
    return new Hypothesis(Optional.of(kind), detail, prior, "", effect);
  }

  /**
   * Change of times.
   *
   * @param networkFactor factor on the time of transfers between nodes
   * @param floorUs least time of a call, in microseconds
   * @param jitter standard deviation of the logarithm of the network factor between calls
   * @param channelGBps largest bandwidth of a channel with Simple; 0 if unchanged
   */
  public record Effect(double networkFactor, double floorUs, double jitter, double channelGBps) {
    /**
     * Noise of undisturbed runs, as a fraction: nccl-tests' means of 20 calls repeat within a few
     * percent.
     */
    static final double USUAL_NOISE = 0.04;

    static final Effect NONE = new Effect(1, 0, 0, 0);

    /** This effect on a host on which every call takes at least a given time. */
    Effect onHost(double leastUs) {
      return new Effect(networkFactor, Math.max(floorUs, leastUs), jitter, channelGBps);
    }

    /** Effect of other traffic, which slows transfers between nodes down by a varying factor. */
    static Effect congestion(double factor, double jitter) {
      return new Effect(factor, 0, jitter, 0);
    }

    static Effect slowChannels(double gbps) {
      return new Effect(1, 0, 0, gbps);
    }

    /** Effect of slow launches: a least time of every call. */
    static Effect floor(double us) {
      return new Effect(1, us, 0, 0);
    }
  }
}
