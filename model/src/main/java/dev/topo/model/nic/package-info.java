/**
 * How NCCL merges network ports to virtual devices ({@code nccl:src/graph/topo.cc}). Start with
 * {@link dev.topo.model.nic.NicMerger}. Knows the tree of a topology file, neither settings nor a
 * real machine.
 */
@NullMarked
package dev.topo.model.nic;

import org.jspecify.annotations.NullMarked;
