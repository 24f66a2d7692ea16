/**
 * Topologies that other tools write: lstopo's XML, {@code nvidia-smi -q -x} and {@code nvidia-smi
 * topo -m}. Start with {@link dev.topo.hw.foreign.MachineImporter}. What the tools do not show is
 * completed by {@link dev.topo.hw.foreign.MachineCompleter}, for devices that the user names, with
 * what NCCL would add at run time, and said. Reads no hardware.
 */
@NullMarked
package dev.topo.hw.foreign;

import org.jspecify.annotations.NullMarked;
