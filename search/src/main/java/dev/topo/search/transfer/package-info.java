/**
 * Sends and receives: the transport, protocol, channels and chunks by which a rank exchanges data
 * with others, and the rounds and kernels. Start with {@link dev.topo.search.transfer.PeerPlanner}.
 * It knows nothing about collectives. Reference: {@code scheduleP2pTasksToPlan} and {@code
 * addP2pToPlan} in {@code nccl:src/enqueue.cc}.
 */
@NullMarked
package dev.topo.search.transfer;

import org.jspecify.annotations.NullMarked;
