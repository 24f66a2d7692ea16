package dev.topo.simulator.diagnosis;

import java.util.Optional;

/**
 * A way in which a job may differ from what it should be.
 *
 * @param kind the cause; empty for the job as it should be
 * @param detail the case in words
 * @param prior how often it is the cause, beside the others; the sum need not be 1
 * @param edits what it changes in the job, in the language of {@code topo whatif}
 * @param effect what it changes in the times beyond that
 */
record Hypothesis(
    Optional<CauseKind> kind, String detail, double prior, String edits, Effect effect) {
  /** A fault that is an edit of the job. */
  static Hypothesis edited(CauseKind kind, String detail, double prior, String edits) {
    return new Hypothesis(Optional.of(kind), detail, prior, edits, Effect.NONE);
  }

  /** A fault of the times alone. */
  static Hypothesis ofTimes(CauseKind kind, String detail, double prior, Effect effect) {
    return new Hypothesis(Optional.of(kind), detail, prior, "", effect);
  }

  /**
   * A change of times.
   *
   * @param networkFactor how many times longer data is on its way between nodes
   * @param floorUs the least time of a call, in microseconds
   * @param jitter standard deviation of the logarithm of that, which differs from call to call
   * @param channelGBps the most that a channel copies by Simple; 0 for what it copies by itself
   */
  public record Effect(double networkFactor, double floorUs, double jitter, double channelGBps) {
    /** Noise of undisturbed runs: nccl-tests' means of 20 calls repeat within a few percent. */
    static final double USUAL_NOISE = 0.04;

    static final Effect NONE = new Effect(1, 0, 0, 0);

    /** The effect on a host whose calls take a time at least. */
    Effect onHost(double leastUs) {
      return new Effect(networkFactor, Math.max(floorUs, leastUs), jitter, channelGBps);
    }

    /** A network that other traffic slows down, more at one time than at another. */
    static Effect congestion(double factor, double jitter) {
      return new Effect(factor, 0, jitter, 0);
    }

    static Effect slowChannels(double gbps) {
      return new Effect(1, 0, 0, gbps);
    }

    /** Launches that take a time at least. */
    static Effect floor(double us) {
      return new Effect(1, us, 0, 0);
    }
  }
}
