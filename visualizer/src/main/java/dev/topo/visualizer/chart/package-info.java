/**
 * The data of charts: curves over sizes, from measurements, predictions and NCCL's own model. Start
 * with {@link dev.topo.visualizer.chart.SweepCharts}. Independent of the chart library.
 */
@NullMarked
package dev.topo.visualizer.chart;

import org.jspecify.annotations.NullMarked;
