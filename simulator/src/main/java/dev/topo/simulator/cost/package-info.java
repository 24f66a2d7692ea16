/**
 * What errors in a topology file cost: channels and busbw with the file and without its errors.
 * Start with {@link dev.topo.simulator.cost.FindingCost}.
 */
@NullMarked
package dev.topo.simulator.cost;

import org.jspecify.annotations.NullMarked;
