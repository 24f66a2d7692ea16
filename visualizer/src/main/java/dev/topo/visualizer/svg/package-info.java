/** Drawings as SVG, written as text: nothing of AWT is loaded. */
@NullMarked
package dev.topo.visualizer.svg;

import org.jspecify.annotations.NullMarked;
