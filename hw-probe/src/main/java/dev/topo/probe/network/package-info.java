/**
 * Which network devices NCCL would use, by its rules and settings: InfiniBand and RoCE ports, or
 * sockets. Start with {@link dev.topo.probe.network.NetworkFinder}. Knows nothing of the tree that
 * they become part of.
 */
@NullMarked
package dev.topo.probe.network;

import org.jspecify.annotations.NullMarked;
