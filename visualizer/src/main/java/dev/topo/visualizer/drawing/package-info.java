/**
 * Pictures of machines and jobs: pure functions from a topology and a route to a {@link
 * dev.topo.visualizer.drawing.Drawing} of boxes, wires and captions in pixels. Start with {@link
 * dev.topo.visualizer.drawing.MachineLayout} for a machine and {@link
 * dev.topo.visualizer.drawing.JobFlowFinder} for the hops between nodes. {@link
 * dev.topo.visualizer.drawing.HostFold} finds the hosts of an NVLink domain of which one drawing
 * suffices, {@link dev.topo.visualizer.drawing.RouteFinder} the links of a channel. Text is
 * measured with a table, so that a picture does not depend on the fonts of the host. {@link
 * dev.topo.visualizer.drawing.SvgWriter} writes a drawing as SVG without loading AWT.
 */
@NullMarked
package dev.topo.visualizer.drawing;

import org.jspecify.annotations.NullMarked;
