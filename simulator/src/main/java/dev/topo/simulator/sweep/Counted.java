package dev.topo.simulator.sweep;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.stream.LongStream;

/** Products of numbers of values, as far as they can be counted. */
final class Counted {
  private Counted() {}

  /**
   * A product.
   *
   * @throws TopologyFormatException if it is larger than any number here
   */
  static long product(SweepSpec spec, LongStream factors) {
    try {
      return factors.reduce(1, Math::multiplyExact);
    } catch (ArithmeticException e) {
      throw new TopologyFormatException(
          place(spec),
          "more than %d rows, expected fewer axes or values".formatted(Long.MAX_VALUE),
          e);
    }
  }

  /** The file of a specification, of which no line is to blame. */
  static SourceLocation place(SweepSpec spec) {
    return SourceLocation.of(spec.machines().get(0).location().file());
  }
}
