/**
 * All that Linux says of a machine, read in one go. Start with {@link
 * dev.topo.probe.facts.MachineFactsReader}.
 */
@NullMarked
package dev.topo.probe.facts;

import org.jspecify.annotations.NullMarked;
