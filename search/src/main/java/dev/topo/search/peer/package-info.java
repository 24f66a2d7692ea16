/**
 * Resources of NCCL for two ranks that exchange data: the sizes of the buffers between them ({@link
 * dev.topo.search.peer.BufferSizes}) and the channels of sends and receives ({@link
 * dev.topo.search.peer.P2pChannels}). Connection and tuning both rest on it; it knows neither.
 * Reference: {@code computeBuffSizes} in {@code nccl:src/init.cc} and {@code
 * ncclTopoComputeP2pChannels} in {@code nccl:src/graph/paths.cc}.
 */
@NullMarked
package dev.topo.search.peer;

import org.jspecify.annotations.NullMarked;
