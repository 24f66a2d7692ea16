package dev.topo.simulator.timing;

/**
 * The time of a kernel once it has started, part by part, in microseconds.
 *
 * @param stepsUs waiting for neighbours, fences and barriers
 * @param fillUs filling the pipeline
 * @param transferUs moving the data
 * @param channelsUs what the channels would need for the data by themselves
 * @param linksUs what the links would need for it
 */
record KernelTime(
    double stepsUs, double fillUs, double transferUs, double channelsUs, double linksUs) {
  /**
   * The time of the kernel.
   *
   * @param startUs its start and end
   */
  double totalUs(double startUs) {
    return startUs + stepsUs + fillUs + transferUs;
  }
}
