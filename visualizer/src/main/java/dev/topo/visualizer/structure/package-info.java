/**
 * Machines, their paths and graphs, and the connections of a job as text, JSON and tables, with one
 * class for each form. {@link dev.topo.visualizer.structure.ConnectPart} lists the parts of a
 * connection. Rows are computed while they are written, because a large job has millions.
 */
@NullMarked
package dev.topo.visualizer.structure;

import org.jspecify.annotations.NullMarked;
