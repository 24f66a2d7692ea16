package dev.topo.simulator.workload;

import dev.topo.simulator.timing.TimeEstimate;

/**
 * Computes the time of a call's kernel on the GPU, from the arrival of the last rank. The timing
 * model gives the time from call to call, which includes the launch and the idle time of the stream
 * between two kernels; neither is part of the kernel.
 */
final class DeviceTime {
  /**
   * Time from the end of a kernel to the start of the next one, if that was already launched: the
   * median of kernels other than NCCL's in traces of four jobs on two H200 is 1.34 to 1.54 us
   * (PyTorch 2.11, CUDA 13.0, 2026-11-22 and 23).
   */
  static final double BETWEEN_KERNELS_US = 1.4;

  private DeviceTime() {}

  /**
   * Derives the time of the kernel from an estimate.
   *
   * @param isFromCallToCall whether the start of the estimate contains the time between kernels
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
