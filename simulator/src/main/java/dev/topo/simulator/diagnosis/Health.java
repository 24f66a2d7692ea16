package dev.topo.simulator.diagnosis;

/** Verdicts on a measurement. */
public enum Health {
  /** As fast as expected, as far as the range of the prediction tells. */
  AS_EXPECTED("as expected"),
  /** Slower than expected, or the log states a fault; the causes say why. */
  FAULT("fault"),
  /** Slower than expected without a matching known cause. */
  UNEXPLAINED("slower than expected, no known cause fits"),
  /** Faster than the job can be: the measurements come from another job. */
  TOO_FAST("faster than this job can be"),
  /** There is nothing to compare with, or the measurements do not decide. */
  UNDECIDED("not decided");

  private final String label;

  Health(String label) {
    this.label = label;
  }

  /** True if the run or the stated job is wrong. */
  public boolean isBad() {
    return this != AS_EXPECTED && this != UNDECIDED;
  }

  /** True if the run is slower than expected, for whatever reason. */
  boolean isSlow() {
    return this == FAULT || this == UNEXPLAINED;
  }

  /** Verdict in words. */
  public String label() {
    return label;
  }
}
