/**
 * The parts of a picture: boxes, wires and captions with their coordinates, in pixels from the
 * upper left corner. Start with {@link dev.topo.visualizer.scene.Drawing}. Knows neither machines
 * nor file formats.
 */
@NullMarked
package dev.topo.visualizer.scene;

import org.jspecify.annotations.NullMarked;
