package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;

/**
 * The range that holds the times of 90 of 100 hashings of the flows of a call onto links.
 *
 * @param low factor to the expected time below which at most 5 of 100 hashings are
 * @param high factor to the expected time above which at most 5 of 100 hashings are
 */
public record HashRange(double low, double high) {
  /** The range of a time in words. */
  String text(double timeUs) {
    return QuantityFormat.times(low * timeUs, high * timeUs);
  }
}
