package dev.topo.hw.run;

import dev.topo.model.Quantiles;
import java.util.List;

/**
 * Times of a call.
 *
 * @param call its index in the plan
 * @param timesUs kernel times of all measurements, in µs
 * @param hasLaunches whether GPUs waited for launches of kernels in a round; its time then includes
 *     the wait
 */
public record ReplayedCall(int call, List<Double> timesUs, boolean hasLaunches) {
  public ReplayedCall {
    timesUs = List.copyOf(timesUs);
  }

  /** Median of the rounds, in µs. */
  public double medianUs() {
    return Quantiles.median(timesUs);
  }

  /** Time that a fraction of the measured times do not exceed, in µs. */
  public double quantileUs(double part) {
    return Quantiles.of(timesUs, part);
  }
}
