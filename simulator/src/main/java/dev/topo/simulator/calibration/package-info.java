/**
 * From measured times to the constants of the timing model: measurements in and out of files, the
 * fit, and how well the data determine each constant. Start with {@link
 * dev.topo.simulator.calibration.CalibrationFit}; calibrations that come with topo are in {@link
 * dev.topo.simulator.calibration.CalibrationFile}. Reference for the method: K. Madsen, H. B.
 * Nielsen, O. Tingleff, Methods for Non-Linear Least Squares Problems (2004), section 3.2.
 */
@NullMarked
package dev.topo.simulator.calibration;

import org.jspecify.annotations.NullMarked;
