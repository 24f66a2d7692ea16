/**
 * A machine as NCCL sees it: GPUs, PCI switches, NVSwitches, NUMA domains, NICs and network ports,
 * and the links between them. Start with {@link dev.topo.model.Topology}; {@link
 * dev.topo.model.Node} has a record for each kind of node. Everything here is an immutable value;
 * nothing here knows XML, paths or channels. Terms and rules follow {@code nccl:src/graph/topo.h}
 * and {@code topo.cc}.
 */
@NullMarked
package dev.topo.model;

import org.jspecify.annotations.NullMarked;
