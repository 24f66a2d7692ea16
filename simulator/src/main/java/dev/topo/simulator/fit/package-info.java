/**
 * Fits the constants of the timing model to measured times, and states how well the data determine
 * each constant. Start with {@link dev.topo.simulator.fit.CalibrationFit}. Reference for the
 * method: K. Madsen, H. B. Nielsen, O. Tingleff, Methods for Non-Linear Least Squares Problems
 * (2004), section 3.2.
 */
@NullMarked
package dev.topo.simulator.fit;

import org.jspecify.annotations.NullMarked;
