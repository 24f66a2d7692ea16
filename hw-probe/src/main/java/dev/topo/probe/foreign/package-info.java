/**
 * Topologies that other tools write: lstopo's XML, {@code nvidia-smi -q -x} and {@code nvidia-smi
 * topo -m}. Start with {@link dev.topo.probe.foreign.MachineImporter}. What the tools do not show
 * is completed by {@link dev.topo.probe.assume}, and said. Reads no hardware.
 */
@NullMarked
package dev.topo.probe.foreign;

import org.jspecify.annotations.NullMarked;
