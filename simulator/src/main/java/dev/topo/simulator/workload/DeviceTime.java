package dev.topo.simulator.workload;

import dev.topo.simulator.timing.TimeEstimate;

/**
 * The time of a call's kernel on the GPU, from the arrival of the last rank on. The timing model
 * gives the time from call to call, which includes launches and the idle time of a stream between
 * two kernels. Neither is part of a kernel.
 */
final class DeviceTime {
  /**
   * From the end of a kernel to the start of the next one, which was launched before: the median of
   * kernels other than NCCL's in traces of four jobs on two H200 is 1.34 to 1.54 us (PyTorch 2.11,
   * CUDA 13.0, 2026-11-22 and 23).
   */
  static final double BETWEEN_KERNELS_US = 1.4;

  private DeviceTime() {}

  /**
   * The time of the kernel of an estimate.
   *
   * @param isFromCallToCall whether its start contains the time between kernels
   */
  static TimeEstimate of(TimeEstimate call, boolean isFromCallToCall) {
    double between = isFromCallToCall ? Math.min(BETWEEN_KERNELS_US, call.startUs()) : 0;
    return new TimeEstimate(
        call.kernelUs() - between,
        call.bottleneck(),
        0,
        call.startUs() - between,
        call.stepsUs(),
        call.fillUs(),
        call.transferUs(),
        call.host());
  }
}
