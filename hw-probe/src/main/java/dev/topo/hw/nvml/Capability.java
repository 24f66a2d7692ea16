package dev.topo.hw.nvml;

/** The support of a feature by a GPU, if that could be queried. */
public enum Capability {
  /** It can. */
  YES,
  /** It cannot. */
  NO,
  /** It could not be queried. */
  UNKNOWN;

  public static Capability of(boolean can) {
    return can ? YES : NO;
  }

  public boolean orElse(boolean guess) {
    return this == UNKNOWN ? guess : this == YES;
  }
}
