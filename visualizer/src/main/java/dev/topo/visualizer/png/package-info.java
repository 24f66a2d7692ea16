/** Drawings as PNG, painted by Java2D; the only package for drawings that needs AWT and a font. */
@NullMarked
package dev.topo.visualizer.png;

import org.jspecify.annotations.NullMarked;
