package dev.topo.hw.run;

/** Tolerance for a number in a result. */
record Tolerance(double relative, double absolute) {
  /** Bitwise equality. */
  public static final Tolerance NONE = new Tolerance(0, 0);

  boolean allows(double found, double expected) {
    return Math.abs(found - expected) <= relative * Math.abs(expected) + absolute;
  }
}
