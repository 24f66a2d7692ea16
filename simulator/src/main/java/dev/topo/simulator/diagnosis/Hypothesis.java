package dev.topo.simulator.diagnosis;

import java.util.Optional;

/**
 * Possible deviation of a job from the healthy one.
 *
 * @param kind the cause; empty for the healthy job
 * @param detail the case in words
 * @param prior prior weight of the cause; the weights need not add up to 1
 * @param edits changes of the job, in the language of {@code topo whatif}
 * @param effect further changes of the times
 */
record Hypothesis(
    Optional<CauseKind> kind, String detail, double prior, String edits, Effect effect) {
  /** Fault that is an edit of the job. */
  static Hypothesis edited(CauseKind kind, String detail, double prior, String edits) {
    return new Hypothesis(Optional.of(kind), detail, prior, edits, Effect.NONE);
  }

  /** Fault that affects only the times. */
  static Hypothesis ofTimes(CauseKind kind, String detail, double prior, Effect effect) {
    return new Hypothesis(Optional.of(kind), detail, prior, "", effect);
  }

  /**
   * Change of times.
   *
   * @param networkFactor factor for the time of data between nodes
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

    /** This effect on a host whose calls take at least a given time. */
    Effect onHost(double leastUs) {
      return new Effect(networkFactor, Math.max(floorUs, leastUs), jitter, channelGBps);
    }

    /** Effect of a network that other traffic slows down, with variation over time. */
    static Effect congestion(double factor, double jitter) {
      return new Effect(factor, 0, jitter, 0);
    }

    static Effect slowChannels(double gbps) {
      return new Effect(1, 0, 0, gbps);
    }

    /** Effect of launches with a least time. */
    static Effect floor(double us) {
      return new Effect(1, us, 0, 0);
    }
  }
}
