/**
 * Self-contained pages: a machine or job ({@link dev.topo.visualizer.report.ReportPage}), the
 * results of a sweep ({@link dev.topo.visualizer.report.SweepPage}), a job's communication ({@link
 * dev.topo.visualizer.report.WorkloadPage}), another release for a fleet ({@link
 * dev.topo.visualizer.report.UpgradePage}). Style and script are resources of this package and are
 * written into the page.
 */
@NullMarked
package dev.topo.visualizer.report;

import org.jspecify.annotations.NullMarked;
