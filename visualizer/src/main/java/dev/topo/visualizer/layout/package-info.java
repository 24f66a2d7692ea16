/**
 * The layout of a machine: pure functions from a topology and a route to a {@link
 * dev.topo.visualizer.scene.Drawing}. Start with {@link dev.topo.visualizer.layout.MachineLayout}.
 * Text is measured by a table, so that a picture does not depend on the fonts of the host.
 */
@NullMarked
package dev.topo.visualizer.layout;

import org.jspecify.annotations.NullMarked;
