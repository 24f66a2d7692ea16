package dev.topo.simulator.network;

/**
 * The properties of sends and receives that determine their time between nodes.
 *
 * @param bytes bytes of a transfer, or of the largest one
 * @param peers peers on other nodes that the busiest rank exchanges data with
 * @param channelBytes what the busiest channel copies, own copies included
 * @param connectionBytes what the busiest channel carries to or from one rank of another node after
 *     the other, of those that it serves at the same time the most
 * @param firstPart the part of the largest transfer that its first chunk is
 * @param matched the part of messages that software gives to their buffers
 * @param port what the busiest port carries for one byte of each transfer
 * @param uplink what the busiest uplinks of switches carry for it
 * @param linksUs what the busiest link inside a node needs
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
