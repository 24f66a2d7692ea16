/**
 * What {@code topo predict} has to say before it is printed: the calibration that is used and why,
 * the predictions, and what they do not rest on. Start with {@link dev.topo.cli.predict.Forecast}.
 */
@NullMarked
package dev.topo.cli.predict;

import org.jspecify.annotations.NullMarked;
