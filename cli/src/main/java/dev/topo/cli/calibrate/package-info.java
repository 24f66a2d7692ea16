/**
 * The results of {@code topo calibrate} before printing: the machine of each measurement, and the
 * errors of a calibration. Start with {@link dev.topo.cli.calibrate.CalibrationReport}.
 */
@NullMarked
package dev.topo.cli.calibrate;

import org.jspecify.annotations.NullMarked;
