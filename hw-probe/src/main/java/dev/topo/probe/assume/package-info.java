/**
 * Completes a topology file that tells where devices are, but not what they are: what NCCL would
 * add at run time, for devices that the user names. Start with {@link
 * dev.topo.probe.assume.MachineCompleter}. Reads no file and asks no hardware; how NCCL puts
 * devices into a file is {@link dev.topo.probe.assemble}'s.
 */
@NullMarked
package dev.topo.probe.assume;

import org.jspecify.annotations.NullMarked;
