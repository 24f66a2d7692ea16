package dev.topo.simulator.timing;

/**
 * How long a call takes when it is made again and again, as nccl-tests does, and why.
 *
 * @param timeUs time from call to call, in microseconds
 * @param bottleneck what it waits for most
 * @param launchUs what the process needs to launch the kernels; runs beside the kernels
 * @param startUs start and end of a kernel
 * @param stepsUs waiting for neighbours, fences and barriers
 * @param fillUs until the first data has reached the end of a pipeline
 * @param transferUs moving the data
 */
public record TimeEstimate(
    double timeUs,
    Bottleneck bottleneck,
    double launchUs,
    double startUs,
    double stepsUs,
    double fillUs,
    double transferUs) {

  /** What a kernel takes. */
  public double kernelUs() {
    return startUs + stepsUs + fillUs + transferUs;
  }
}
