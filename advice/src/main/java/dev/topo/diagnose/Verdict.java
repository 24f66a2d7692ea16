package dev.topo.diagnose;

/** Whether a measurement is as it should be. */
public enum Verdict {
  /** As fast as expected, as far as the range of the prediction tells. */
  AS_EXPECTED("as expected"),
  /** Slower than expected, or the log states a fault; the causes say why. */
  FAULT("fault"),
  /** Slower than expected, and no known cause fits. */
  UNEXPLAINED("slower than expected, no known cause fits"),
  /** Nothing to compare with. */
  UNDECIDED("not decided");

  private final String label;

  Verdict(String label) {
    this.label = label;
  }

  /** The verdict in words. */
  public String label() {
    return label;
  }
}
