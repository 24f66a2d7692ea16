/**
 * Plans and results of sweeps as text, JSON and CSV. Start with {@link
 * dev.topo.output.sweep.PlanOutput}.
 */
@NullMarked
package dev.topo.output.sweep;

import org.jspecify.annotations.NullMarked;
