/**
 * The surface on which a layout places boxes, wires and captions; it adds the heading and the
 * legend. Start with {@link dev.topo.visualizer.canvas.Canvas}.
 */
@NullMarked
package dev.topo.visualizer.canvas;

import org.jspecify.annotations.NullMarked;
