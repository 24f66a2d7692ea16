package dev.topo.simulator.timing;

/**
 * What a kernel takes, part by part, in microseconds.
 *
 * @param startUs start and end
 * @param stepsUs waiting for neighbours, fences and barriers
 * @param fillUs filling the pipeline
 * @param transferUs moving the data
 * @param channelsUs what the channels would need for the data by themselves
 * @param linksUs what the links would need for it
 */
record KernelTime(
    double startUs,
    double stepsUs,
    double fillUs,
    double transferUs,
    double channelsUs,
    double linksUs) {
  double totalUs() {
    return startUs + stepsUs + fillUs + transferUs;
  }
}
