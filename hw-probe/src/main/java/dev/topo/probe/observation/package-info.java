/**
 * A value of the machine that was found or is absent with the reason ({@link
 * dev.topo.probe.observation.Observation}), and what a user should know about it.
 */
@NullMarked
package dev.topo.probe.observation;

import org.jspecify.annotations.NullMarked;
