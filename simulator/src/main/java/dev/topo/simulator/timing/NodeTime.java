package dev.topo.simulator.timing;

/**
 * The time of a call on a node by itself, in microseconds; all of it runs beside the network.
 *
 * @param startUs start and end of the kernel
 * @param channelsUs what the channels need for the data and the steps
 * @param linksUs what the busiest link inside the node needs for the data
 * @param hopUs what the first bytes take from rank to rank of a tree on the node; 0 of rings
 * @param hopUsPerByte what a hop takes for a byte of each channel where it does not use NVLink; 0
 *     where all hops do
 */
public record NodeTime(
    double startUs, double channelsUs, double linksUs, double hopUs, double hopUsPerByte) {
  /** Of a node whose GPUs all send over NVLink. */
  public NodeTime(double startUs, double channelsUs, double linksUs) {
    this(startUs, channelsUs, linksUs, 0, 0);
  }

  /** The slower of two nodes that wait for each other, part by part. */
  public NodeTime slower(NodeTime other) {
    return new NodeTime(
        Math.max(startUs, other.startUs),
        Math.max(channelsUs, other.channelsUs),
        Math.max(linksUs, other.linksUs),
        Math.max(hopUs, other.hopUs),
        Math.max(hopUsPerByte, other.hopUsPerByte));
  }
}
