/**
 * The rules for topology files: devices, links, identities, and limits of the machine. Start with
 * {@link dev.topo.inspect.lint.topology.MachineRules}; {@link
 * dev.topo.inspect.lint.topology.TopologyIndex} finds the devices of a file. Knows nothing of
 * configuration and graph files. Reference: {@code nccl:src/graph/topo.cc}.
 */
@NullMarked
package dev.topo.inspect.lint.topology;

import org.jspecify.annotations.NullMarked;
