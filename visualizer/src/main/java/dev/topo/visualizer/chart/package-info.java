/**
 * Charts, and everything that is painted in pixels. {@link
 * dev.topo.visualizer.chart.MeasuredCharts} makes curves from measurements, predictions and NCCL's
 * own model. {@link dev.topo.visualizer.chart.ChartPainter} paints them with JFreeChart, as PNG or,
 * through Batik, as SVG. {@link dev.topo.visualizer.chart.PngWriter} paints a drawing. This is the
 * only package that needs AWT and a font.
 */
@NullMarked
package dev.topo.visualizer.chart;

import org.jspecify.annotations.NullMarked;
