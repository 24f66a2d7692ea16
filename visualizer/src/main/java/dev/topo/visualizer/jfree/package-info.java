/**
 * Charts painted with JFreeChart, as PNG or through Batik as SVG. Start with {@link
 * dev.topo.visualizer.jfree.ChartPainter}; the only package that uses either library.
 */
@NullMarked
package dev.topo.visualizer.jfree;

import org.jspecify.annotations.NullMarked;
