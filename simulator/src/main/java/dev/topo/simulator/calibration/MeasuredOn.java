package dev.topo.simulator.calibration;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the times were measured on that a calibration rests on.
 *
 * @param machines kinds of machines, as in {@code sm 90, NVSwitch}
 * @param gpus the largest number of GPUs
 * @param largestBytes the largest size of a call
 */
public record MeasuredOn(Set<String> machines, int gpus, long largestBytes) {
  /** Copies the kinds, in their order. */
  public MeasuredOn {
    machines = Collections.unmodifiableSet(new TreeSet<>(machines));
    if (gpus < 0 || largestBytes < 0) {
      throw new IllegalArgumentException(gpus + " GPUs, " + largestBytes + " bytes: expected >= 0");
    }
  }
}
