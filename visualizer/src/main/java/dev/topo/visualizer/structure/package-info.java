/**
 * Machines, their paths and graphs, and how a job connects them, as text, JSON and tables. One
 * class for each form of an answer; {@link dev.topo.visualizer.structure.ConnectPart} lists what
 * can be shown of a connection. Rows are made as they are written, because a large job has
 * millions.
 */
@NullMarked
package dev.topo.visualizer.structure;

import org.jspecify.annotations.NullMarked;
