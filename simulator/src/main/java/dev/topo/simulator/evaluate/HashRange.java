package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;

/**
 * Range of the times of a call over hashings of its flows onto links: from the 5 % to the 95 %
 * quantile.
 *
 * @param low the 5 % quantile, relative to the expected time
 * @param high the 95 % quantile, relative to the expected time
 */
public record HashRange(double low, double high) {
  /** The range of a time in words. */
  String text(double timeUs) {
    return QuantityFormat.times(low * timeUs, high * timeUs);
  }
}
