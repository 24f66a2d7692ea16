/**
 * A machine or job on one page: summary, drawings with their channels, paths, graphs, choices,
 * predictions and measurements, and the findings in its files. Start with {@link
 * dev.topo.visualizer.report.ReportPage}. The page is self-contained: style and script are
 * resources of this package and are written into it.
 */
@NullMarked
package dev.topo.visualizer.report;

import org.jspecify.annotations.NullMarked;
