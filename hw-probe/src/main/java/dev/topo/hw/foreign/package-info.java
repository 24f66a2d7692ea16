/**
 * Topologies in the output of other tools: lstopo's XML, {@code nvidia-smi -q -x} and {@code
 * nvidia-smi topo -m}. Start with {@link dev.topo.hw.foreign.MachineImporter}. Devices that the
 * tools do not show are added by {@link dev.topo.hw.foreign.MachineCompleter}: the user states
 * them, NCCL would add them at run time, and the output reports them. Reads no hardware.
 */
@NullMarked
package dev.topo.hw.foreign;

import org.jspecify.annotations.NullMarked;
