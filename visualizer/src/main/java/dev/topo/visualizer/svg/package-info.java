/** Drawings as SVG, written as text, without loading AWT. */
@NullMarked
package dev.topo.visualizer.svg;

import org.jspecify.annotations.NullMarked;
