/**
 * Predictions of requested calls with NCCL's choice, the best pair, and the caveats of the
 * calibration. Start with {@link dev.topo.simulator.forecast.Forecast}. Knows nothing of options
 * and output formats.
 */
@NullMarked
package dev.topo.simulator.forecast;

import org.jspecify.annotations.NullMarked;
