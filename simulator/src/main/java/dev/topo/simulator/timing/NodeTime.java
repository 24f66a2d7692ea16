package dev.topo.simulator.timing;

/**
 * What a call takes on a node by itself, in microseconds; all of it runs beside the network.
 *
 * @param startUs start and end of the kernel
 * @param channelsUs what the channels need for the data and the steps
 * @param linksUs what the busiest link inside the node needs for the data
 */
public record NodeTime(double startUs, double channelsUs, double linksUs) {
  /** The slower of two nodes that wait for each other, part by part. */
  public NodeTime slower(NodeTime other) {
    return new NodeTime(
        Math.max(startUs, other.startUs),
        Math.max(channelsUs, other.channelsUs),
        Math.max(linksUs, other.linksUs));
  }
}
