/**
 * Drawings as SVG, written as text without loading AWT, and machines and jobs in the languages of
 * Graphviz and Mermaid, which leave the layout to others. Start with {@link
 * dev.topo.visualizer.image.SvgWriter}.
 */
@NullMarked
package dev.topo.visualizer.image;

import org.jspecify.annotations.NullMarked;
