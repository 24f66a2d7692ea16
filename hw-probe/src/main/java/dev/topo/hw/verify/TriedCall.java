package dev.topo.hw.verify;

import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.Gain;

/**
 * A way to run a call, measured on this machine in turns with the call as it is.
 *
 * @param advised whether it is advised; else only a measurement could judge it
 * @param predicted the predicted ratio of the time now by that of the way
 * @param nowUs median time of the call as it is, in microseconds
 * @param wayUs median time by the way
 * @param scatter what times of the call as it is differ by between processes, as a part
 */
public record TriedCall(
    Alternative way,
    boolean advised,
    double predicted,
    double nowUs,
    double wayUs,
    double scatter) {
  /** The measured ratio. */
  public double ratio() {
    return nowUs / wayUs;
  }

  /** True if it is faster by more than what the same call differs by. */
  public boolean held() {
    return ratio() > 1 + Math.max(Gain.NOISE, scatter);
  }
}
