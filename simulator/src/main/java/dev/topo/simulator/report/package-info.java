/**
 * A calibration with the measurements that it is compared with, and its errors. Start with {@link
 * dev.topo.simulator.report.CalibrationReport}. Knows nothing of files and output formats.
 */
@NullMarked
package dev.topo.simulator.report;

import org.jspecify.annotations.NullMarked;
