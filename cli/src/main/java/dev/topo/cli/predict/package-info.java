/**
 * The results of {@code topo predict} before printing: the calibration with the reason for its use,
 * the predictions, and their caveats. Start with {@link dev.topo.cli.predict.Forecast}.
 */
@NullMarked
package dev.topo.cli.predict;

import org.jspecify.annotations.NullMarked;
