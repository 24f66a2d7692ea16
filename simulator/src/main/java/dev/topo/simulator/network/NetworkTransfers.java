package dev.topo.simulator.network;

import java.util.Optional;

/**
 * Properties of sends and receives that determine their time between nodes.
 *
 * @param bytes bytes of the largest transfer
 * @param peers peers of the busiest rank on other nodes
 * @param channelBytes bytes that the busiest channel copies, including the rank's own part
 * @param connectionBytes bytes that the busiest connection of a channel carries one after the
 *     other, if the channel divides its transfers among the connections that it serves at the same
 *     time
 * @param firstPart size of the first chunk of the largest transfer, relative to the transfer
 * @param flush whether GPUs wait until data written by NICs is visible
 * @param matched fraction of messages that software matches to their buffers
 * @param port load of the busiest port for one byte of each transfer
 * @param uplink load of the busiest uplinks of switches for one byte of each transfer; empty if
 *     switches are assumed not to limit
 * @param linksUs time of the busiest link inside a node, in microseconds
 */
public record NetworkTransfers(
    double bytes,
    int peers,
    double channelBytes,
    double connectionBytes,
    double firstPart,
    boolean flush,
    double matched,
    PortLoad port,
    Optional<UplinkLoad> uplink,
    double linksUs) {
  NetworkTransfers with(Optional<UplinkLoad> other) {
    return new NetworkTransfers(
        bytes,
        peers,
        channelBytes,
        connectionBytes,
        firstPart,
        flush,
        matched,
        port,
        other,
        linksUs);
  }
}
