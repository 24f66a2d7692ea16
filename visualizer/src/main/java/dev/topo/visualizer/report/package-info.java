/**
 * Self-contained HTML pages: a machine or job ({@link dev.topo.visualizer.report.ReportPage}), the
 * results of a sweep ({@link dev.topo.visualizer.report.SweepPage}), the communication of a job
 * ({@link dev.topo.visualizer.report.WorkloadPage}), and an upgrade of NCCL for a job or fleet
 * ({@link dev.topo.visualizer.report.UpgradePage}). Style sheet and script are resources of this
 * package and are embedded in the page.
 */
@NullMarked
package dev.topo.visualizer.report;

import org.jspecify.annotations.NullMarked;
