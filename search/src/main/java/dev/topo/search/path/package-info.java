/**
 * Paths between the nodes of a topology: NCCL's routes from a GPU to another GPU, to a NIC or to a
 * CPU under the given settings, and which GPUs of a machine belong together. Start with {@link
 * dev.topo.search.path.DomainFinder}, or with {@link dev.topo.search.path.PathFinder} for the paths
 * alone. Reference: {@code nccl:src/graph/paths.cc}.
 */
@NullMarked
package dev.topo.search.path;

import org.jspecify.annotations.NullMarked;
