package dev.topo.search.transfer;

import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.path.Transport;

/**
 * The sends of an operation of a given size by one transport.
 *
 * @param collective the operation
 * @param bytes size of the operation as nccl-tests counts it
 * @param peerBytes bytes that a rank sends to a peer
 * @param channels channels of a transfer
 * @param chunkBytes bytes that a channel moves in one step
 * @param blocks blocks of the largest kernel of a rank, over all transports
 * @param threads threads of a block
 * @param kernels kernels of a rank
 * @param rounds rounds in which a rank sends or receives
 */
public record TransferRow(
    PeerOperation collective,
    long bytes,
    long peerBytes,
    Transport transport,
    Protocol protocol,
    int channels,
    int chunkBytes,
    int blocks,
    int threads,
    int kernels,
    int rounds) {}
