/**
 * Network ports of a machine and the switches that they are connected to. Start with {@link
 * dev.topo.model.nic.NicMerger}, which merges ports into virtual devices as {@code
 * nccl:src/graph/topo.cc} does, and with {@link dev.topo.model.nic.SwitchMapReader} for the switch
 * of each port of each node, which NCCL does not see.
 */
@NullMarked
package dev.topo.model.nic;

import org.jspecify.annotations.NullMarked;
