package dev.topo.simulator.network;

/**
 * What of sends and receives determines their time between nodes.
 *
 * @param bytes bytes of a transfer, or of the largest one
 * @param peers peers on other nodes that the busiest rank exchanges data with
 * @param channelBytes what the busiest channel copies, own copies included
 * @param port what the busiest port carries for one byte of each transfer
 * @param linksUs what the busiest link inside a node needs
 */
public record PeerCall(
    double bytes, int peers, double channelBytes, PortLoad port, double linksUs) {}
