/**
 * A machine or job on one page: summary, drawings with their channels, paths, graphs, choices,
 * predictions beside measurements, and what is wrong with the file. Start with {@link
 * dev.topo.visualizer.report.ReportPage}. The page needs nothing but itself: style and script lie
 * beside this package as resources and are written into it.
 */
@NullMarked
package dev.topo.visualizer.report;

import org.jspecify.annotations.NullMarked;
