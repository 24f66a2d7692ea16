/**
 * What was looked for on a machine: found, or absent with the reason. Start with {@link
 * dev.topo.probe.observation.Observation}.
 */
@NullMarked
package dev.topo.probe.observation;

import org.jspecify.annotations.NullMarked;
