package dev.topo.hw.run;

import java.util.Arrays;

/** Ways to combine the times of all processes; the numbers are as for {@code -a}. */
public enum Average {
  /** The time of rank 0. */
  RANK_0,
  /** The mean. */
  MEAN,
  /** The shortest. */
  MIN,
  /** The longest. */
  MAX;

  /** Combined value; the first value belongs to rank 0. */
  public double of(double[] values) {
    return switch (this) {
      case RANK_0 -> values[0];
      case MEAN -> Arrays.stream(values).average().orElse(0);
      case MIN -> Arrays.stream(values).min().orElse(0);
      case MAX -> Arrays.stream(values).max().orElse(0);
    };
  }
}
