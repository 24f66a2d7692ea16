package dev.topo.model;

/** Rounding of whole numbers, as for the sizes of allocations and parts. */
public final class Rounding {
  private Rounding() {}

  /** The quotient of two positive numbers, rounded up. */
  public static long quotientUp(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /** The value, rounded up to a multiple of {@code grain}. */
  public static long up(long value, long grain) {
    return quotientUp(value, grain) * grain;
  }

  /** The smallest power of two that is not less than the value; 1 for values below. */
  public static int powerOfTwoUp(int value) {
    return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
  }
}
