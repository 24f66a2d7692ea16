package dev.topo.simulator.network;

/**
 * Properties of sends and receives that determine their time between nodes.
 *
 * @param bytes bytes of the largest transfer
 * @param peers peers of the busiest rank on other nodes
 * @param channelBytes bytes that the busiest channel copies, including the rank's own part
 * @param connectionBytes bytes that the busiest channel carries to or from one rank of another node
 *     after the other; the most of those that it serves at the same time
 * @param firstPart fraction of the largest transfer that its first chunk is
 * @param matched fraction of messages that software matches to their buffers
 * @param port load of the busiest port for one byte of each transfer
 * @param uplink load of the busiest uplinks of switches for one byte of each transfer
 * @param linksUs time of the busiest link inside a node, in microseconds
 */
public record NetworkTransfers(
    double bytes,
    int peers,
    double channelBytes,
    double connectionBytes,
    double firstPart,
    double matched,
    PortLoad port,
    UplinkLoad uplink,
    double linksUs) {
  NetworkTransfers with(UplinkLoad other) {
    return new NetworkTransfers(
        bytes, peers, channelBytes, connectionBytes, firstPart, matched, port, other, linksUs);
  }
}
