package dev.topo.run.data;

/**
 * How far a number of a result may be off.
 *
 * @param relative as a share of the number
 * @param absolute what is added to that
 */
public record Tolerance(double relative, double absolute) {
  /** Every bit counts. */
  public static final Tolerance NONE = new Tolerance(0, 0);

  boolean allows(double found, double expected) {
    return Math.abs(found - expected) <= relative * Math.abs(expected) + absolute;
  }
}
