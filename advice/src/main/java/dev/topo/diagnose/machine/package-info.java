/**
 * Machines that are assumed where no topology file is given; begin with {@link
 * dev.topo.diagnose.machine.AssumedMachine}.
 */
@NullMarked
package dev.topo.diagnose.machine;

import org.jspecify.annotations.NullMarked;
