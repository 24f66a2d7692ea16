/**
 * Completes a topology file that has the places of devices but not the devices: adds what NCCL
 * would add at run time, for devices that the user names. Start with {@link
 * dev.topo.probe.assume.MachineCompleter}. Reads no file and queries no hardware; how NCCL puts
 * devices into a file is {@link dev.topo.probe.assemble}'s.
 */
@NullMarked
package dev.topo.probe.assume;

import org.jspecify.annotations.NullMarked;
