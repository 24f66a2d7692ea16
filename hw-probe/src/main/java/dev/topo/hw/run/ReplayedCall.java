package dev.topo.hw.run;

import java.util.List;

/**
 * The times of a call.
 *
 * @param call its place in the plan
 * @param timesUs the kernel's time each time that it was measured, in us
 * @param hasLaunches whether GPUs had to wait for launches in a round, which then is in its time
 */
public record ReplayedCall(int call, List<Double> timesUs, boolean hasLaunches) {
  /** Copies the list. */
  public ReplayedCall {
    timesUs = List.copyOf(timesUs);
  }

  /** The median of the rounds, in us. */
  public double medianUs() {
    return median(timesUs);
  }

  /** The time that a part of the measured ones do not exceed, in us. */
  public double quantileUs(double part) {
    List<Double> sorted = timesUs.stream().sorted().toList();
    return sorted.get((int) Math.min(sorted.size() - 1, part * sorted.size()));
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
