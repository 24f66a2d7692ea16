package dev.topo.simulator.diagnosis;

/**
 * Fit of a hypothesis to some measurements.
 *
 * @param logPosterior logarithm of likelihood times prior, up to a constant
 * @param residuals logarithm of the ratio of measured to predicted time, for each measurement
 * @param timesUs predicted times out of place, in microseconds
 * @param unevenness logarithms of the ratios between times out of place and in place, relative to
 *     the prediction; 0 if only one was measured
 * @param spreads standard deviations of the prediction errors, in logarithms
 */
record Fit(
    Hypothesis hypothesis,
    double logPosterior,
    double[] residuals,
    double[] timesUs,
    double[] spreads,
    double[] unevenness) {

  /**
   * True if a time differs from that of another fit by more than a given logarithm of their ratio.
   */
  boolean differs(Fit other, double logRatio) {
    for (int i = 0; i < timesUs.length; i++) {
      if (Math.abs(Math.log(timesUs[i] / other.timesUs[i])) > logRatio) {
        return true;
      }
    }
    return false;
  }

  /** True if a call takes longer than in another fit by more than a given fraction. */
  boolean isSlower(int at, Fit other, double fraction) {
    return timesUs[at] > other.timesUs[at] * (1 + fraction);
  }

  /**
   * Smaller of the residuals out of place and in place: an interruption makes one of the two times
   * long, a fault both.
   */
  double lastingResidual(int at) {
    return residuals[at] - Math.abs(unevenness[at]) / 2;
  }

  /** Larger of the residuals out of place and in place. */
  double longestResidual(int at) {
    return residuals[at] + Math.abs(unevenness[at]) / 2;
  }

  /** Standard deviations from the centre to the end of a range that holds 90 of 100 times. */
  static final double SIGMAS = 1.645;

  /** Logarithm of the longest time of the range relative to the predicted time. */
  double range(int at) {
    return SIGMAS * spreads[at];
  }
}
