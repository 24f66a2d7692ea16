package dev.topo.hw.nvml;

/** Support of a feature by a GPU, if it could be queried. */
public enum Capability {
  /** Supported. */
  YES,
  /** Not supported. */
  NO,
  /** Not available from the query. */
  UNKNOWN;

  public static Capability of(boolean can) {
    return can ? YES : NO;
  }

  public boolean orElse(boolean guess) {
    return this == UNKNOWN ? guess : this == YES;
  }
}
