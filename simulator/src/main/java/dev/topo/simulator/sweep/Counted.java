package dev.topo.simulator.sweep;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.stream.LongStream;

/** Products of the numbers of values and variants, checked for overflow. */
final class Counted {
  private Counted() {}

  /**
   * Multiplies numbers of values.
   *
   * @throws TopologyFormatException if the product overflows
   */
  static long product(SweepSpec spec, LongStream factors) {
    try {
      return factors.reduce(1, Math::multiplyExact);
    } catch (ArithmeticException e) {
      throw new TopologyFormatException(
          place(spec),
          "more than %s rows, expected fewer axes or values".formatted(Long.MAX_VALUE),
          e);
    }
  }

  /** The location of an error that concerns a whole specification. */
  static SourceLocation place(SweepSpec spec) {
    return SourceLocation.of(spec.machines().get(0).location().file());
  }
}
