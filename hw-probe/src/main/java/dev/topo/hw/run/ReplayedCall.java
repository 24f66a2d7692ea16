package dev.topo.hw.run;

import dev.topo.model.Quantiles;
import java.util.List;

/**
 * The times of a call.
 *
 * @param call its place in the plan
 * @param timesUs the kernel's time each time that it was measured, in us
 * @param hasLaunches whether GPUs had to wait for launches in a round, which then is in its time
 */
public record ReplayedCall(int call, List<Double> timesUs, boolean hasLaunches) {
  public ReplayedCall {
    timesUs = List.copyOf(timesUs);
  }

  /** The median of the rounds, in us. */
  public double medianUs() {
    return Quantiles.median(timesUs);
  }

  /** The time that a part of the measured ones do not exceed, in us. */
  public double quantileUs(double part) {
    return Quantiles.of(timesUs, part);
  }
}
