/**
 * Sends and receives: by which transport, protocol, channels and chunks a rank exchanges data with
 * others, in which rounds and kernels. Start with {@link dev.topo.search.transfer.PeerPlanner}. It
 * knows nothing of collectives. Reference: {@code scheduleP2pTasksToPlan} and {@code addP2pToPlan}
 * in {@code nccl:src/enqueue.cc}.
 */
@NullMarked
package dev.topo.search.transfer;

import org.jspecify.annotations.NullMarked;
