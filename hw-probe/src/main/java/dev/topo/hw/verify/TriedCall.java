package dev.topo.hw.verify;

import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.evaluate.TimeChange;

/**
 * Alternative for a call, measured on this machine alternately with the unchanged call.
 *
 * @param advised whether it is advised; otherwise only a measurement could judge it
 * @param predicted predicted ratio of the time of the unchanged call to that of the alternative
 * @param nowUs median time of the unchanged call, in microseconds
 * @param wayUs median time of the alternative, in microseconds
 * @param scatter relative difference between the longest and the shortest time of the unchanged
 *     call
 */
public record TriedCall(
    Alternative way,
    boolean advised,
    double predicted,
    double nowUs,
    double wayUs,
    double scatter) {
  /** Measured ratio of the time of the unchanged call to that of the alternative. */
  public double ratio() {
    return nowUs / wayUs;
  }

  /** True if the alternative is faster by more than the scatter of the unchanged call. */
  public boolean held() {
    return TimeChange.isMore(ratio(), 1) && ratio() > 1 + scatter;
  }
}
