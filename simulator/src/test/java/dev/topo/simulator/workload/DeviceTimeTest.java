package dev.topo.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.timing.TimeEstimate.LaunchHost;
import org.junit.jupiter.api.Test;

class DeviceTimeTest {
  private static final double TINY = 1e-9;

  private static TimeEstimate call(double start) {
    return new TimeEstimate(50, Bottleneck.LAUNCH, 50, start, 2, 3, 5, LaunchHost.UNKNOWN);
  }

  @Test
  void launchesAndTheTimeBetweenKernelsAreNoPartOfAKernel() {
    TimeEstimate kernel = DeviceTime.of(call(6), true);
    assertEquals(16 - DeviceTime.BETWEEN_KERNELS_US, kernel.timeUs(), TINY);
    assertEquals(kernel.timeUs(), kernel.kernelUs(), TINY);
    assertEquals(0, kernel.launchUs());
  }

  @Test
  void ncclsOwnModelHasNoTimeBetweenKernels() {
    assertEquals(16, DeviceTime.of(call(6), false).timeUs(), TINY);
  }

  @Test
  void aStartIsNeverNegative() {
    assertEquals(0, DeviceTime.of(call(1), true).startUs(), TINY);
  }
}
