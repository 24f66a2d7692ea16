/**
 * How far predictions are off on measured times: errors of time, and what following a prediction
 * costs. Start with {@link dev.topo.simulator.accuracy.ErrorTable.Errors} and {@link
 * dev.topo.simulator.accuracy.ChoiceRegret}.
 */
@NullMarked
package dev.topo.simulator.accuracy;

import org.jspecify.annotations.NullMarked;
