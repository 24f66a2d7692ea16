/**
 * Errors of predictions, and verdicts on measured times. {@link
 * dev.topo.simulator.verdict.CalibrationFit} fits the constants of the timing model and states how
 * well the data determine each of them, {@link dev.topo.simulator.verdict.CalibrationReport} and
 * {@link dev.topo.simulator.verdict.ErrorTable} have the errors, {@link
 * dev.topo.simulator.verdict.MeasurementVerdict} judges a measured time, {@link
 * dev.topo.simulator.verdict.BoundReporter} shows the bound of a call beside its prediction, {@link
 * dev.topo.simulator.verdict.FindingCost} what errors in a topology file cost. Reference for the
 * fit: K. Madsen, H. B. Nielsen, O. Tingleff, Methods for Non-Linear Least Squares Problems (2004),
 * section 3.2.
 */
@NullMarked
package dev.topo.simulator.verdict;

import org.jspecify.annotations.NullMarked;
