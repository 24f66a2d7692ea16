package dev.topo.run.replay;

import java.util.List;

/**
 * The times of a call.
 *
 * @param call its place in the plan
 * @param timesUs the kernel's time in each measured round, in us
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

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
