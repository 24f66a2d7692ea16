/**
 * The results of a sweep as a page. Start with {@link dev.topo.visualizer.sweep.SweepPage}. Knows
 * the answer only, not how it came about.
 */
@NullMarked
package dev.topo.visualizer.sweep;

import org.jspecify.annotations.NullMarked;
