package dev.topo.simulator.fit;

import dev.topo.simulator.timing.CallShape;

/**
 * A call whose time was measured.
 *
 * @param shape what NCCL did
 * @param timeUs what it took in microseconds
 * @param weight how much it counts in a fit; 1 for an ordinary one
 */
public record FitObservation(CallShape shape, double timeUs, double weight) {
  /** Checks time and weight. */
  public FitObservation {
    if (!(timeUs > 0) || !(weight > 0)) {
      throw new IllegalArgumentException(
          timeUs + " us with weight " + weight + ": expected more than 0");
    }
  }
}
