package dev.topo.simulator.diagnosis;

/**
 * The fit of a hypothesis to some measurements.
 *
 * @param logPosterior logarithm of its likelihood by its prior
 * @param residuals logarithms of measured by predicted time of each measurement
 * @param timesUs the times out of place that it predicts
 * @param unevenness logarithms of what times out of place and in place differ by, beyond the
 *     prediction; 0 where only one was measured
 * @param spreads standard deviations of their errors, in logarithms
 */
record Fit(
    Hypothesis hypothesis,
    double logPosterior,
    double[] residuals,
    double[] timesUs,
    double[] spreads,
    double[] unevenness) {

  /** True if a time differs from that of another by more than a part. */
  boolean differs(Fit other, double part) {
    for (int i = 0; i < timesUs.length; i++) {
      if (Math.abs(Math.log(timesUs[i] / other.timesUs[i])) > part) {
        return true;
      }
    }
    return false;
  }

  /** True if a call takes longer with this hypothesis than with another, by more than a part. */
  boolean isSlower(int at, Fit other, double part) {
    return timesUs[at] > other.timesUs[at] * (1 + part);
  }

  /**
   * The lesser of the residuals out of place and in place: an interruption makes one of the two
   * times long, a fault both.
   */
  double lastingResidual(int at) {
    return residuals[at] - Math.abs(unevenness[at]) / 2;
  }

  /** Standard deviations to the end of a range, which 90 of 100 times are within. */
  static final double SIGMAS = 1.645;

  /** The logarithm of the longest time of the range by the predicted time. */
  double range(int at) {
    return SIGMAS * spreads[at];
  }
}
