package dev.topo.probe.nvml;

/** Whether a GPU can do something, where the one who knows could not always be asked. */
public enum Capability {
  /** It can. */
  YES,
  /** It cannot. */
  NO,
  /** Nobody could be asked. */
  UNKNOWN;

  /** A capability that is known. */
  public static Capability of(boolean can) {
    return can ? YES : NO;
  }

  /** Whether it can, or {@code guess}. */
  public boolean orElse(boolean guess) {
    return this == UNKNOWN ? guess : this == YES;
  }
}
