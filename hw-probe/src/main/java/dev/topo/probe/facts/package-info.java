/**
 * Everything that the probe reads from Linux. Start with {@link
 * dev.topo.probe.facts.MachineFactsReader}.
 */
@NullMarked
package dev.topo.probe.facts;

import org.jspecify.annotations.NullMarked;
