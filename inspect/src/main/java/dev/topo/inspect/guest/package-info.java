/**
 * The topology file of a virtual machine, from the host's topology and the PCI devices visible in
 * the virtual machine: CPUs and PCI devices only, as NCCL's maintainers recommend, because NCCL
 * adds GPUs, NVLinks and network ports itself. Start with {@link
 * dev.topo.inspect.guest.DevicePairer}, then {@link dev.topo.inspect.guest.GuestMachine}.
 */
@NullMarked
package dev.topo.inspect.guest;

import org.jspecify.annotations.NullMarked;
