/**
 * What {@code topo calibrate} works out before it is printed: which machine each measurement was
 * made on, and how far a calibration is off. Start with {@link
 * dev.topo.cli.calibrate.CalibrationReport}.
 */
@NullMarked
package dev.topo.cli.calibrate;

import org.jspecify.annotations.NullMarked;
