package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;

/**
 * The times of a call by how the switches hash its flows onto links: 90 of 100 hashes are between.
 *
 * @param low at most 5 of 100 hashes are faster than so many times the expected time
 * @param high at most 5 of 100 are slower than so many times that
 */
public record HashRange(double low, double high) {
  /** The range of a time, for people. */
  String text(double timeUs) {
    return QuantityFormat.times(low * timeUs, high * timeUs);
  }
}
