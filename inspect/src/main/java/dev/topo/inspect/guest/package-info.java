/**
 * The topology file of a virtual machine, made of the host's topology and what the virtual machine
 * sees of its PCI bus: CPUs and PCI devices only, as NCCL's maintainers recommend, because NCCL
 * adds GPUs, NVLinks and network ports itself. Start with {@link
 * dev.topo.inspect.guest.DevicePairer}, then {@link dev.topo.inspect.guest.GuestMachine}.
 */
@NullMarked
package dev.topo.inspect.guest;

import org.jspecify.annotations.NullMarked;
