/**
 * The constants of the timing model: their meaning, their files, and their choice for a machine.
 * Start with {@link dev.topo.simulator.calibration.CalibrationChoice}; the shipped calibrations are
 * in {@link dev.topo.simulator.calibration.CalibrationFile}.
 */
@NullMarked
package dev.topo.simulator.calibration;

import org.jspecify.annotations.NullMarked;
