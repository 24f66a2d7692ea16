/**
 * A virtual machine as NCCL sees it, without and with a topology file, beside its host. Start with
 * {@link dev.topo.simulator.guest.GuestView.GuestComparison}. Knows nothing of how devices are
 * paired and of output formats.
 */
@NullMarked
package dev.topo.simulator.guest;

import org.jspecify.annotations.NullMarked;
