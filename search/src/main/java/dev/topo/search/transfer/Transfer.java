package dev.topo.search.transfer;

import dev.topo.model.operation.Protocol;
import dev.topo.search.path.Transport;

/**
 * A send to a rank, or a receive from it.
 *
 * @param peer the other rank
 * @param bytes size in bytes
 * @param nChannels number of channels that it uses
 * @param chunkBytes bytes that a channel moves in one step
 */
public record Transfer(
    int peer, long bytes, Transport transport, Protocol protocol, int nChannels, int chunkBytes) {}
