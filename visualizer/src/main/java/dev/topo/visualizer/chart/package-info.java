/**
 * What a chart shows: curves over sizes, from measurements, predictions and NCCL's own model. Start
 * with {@link dev.topo.visualizer.chart.SweepCharts}. Knows no chart library.
 */
@NullMarked
package dev.topo.visualizer.chart;

import org.jspecify.annotations.NullMarked;
