/** Machines and jobs in the language of Graphviz, which then does the layout. */
@NullMarked
package dev.topo.visualizer.dot;

import org.jspecify.annotations.NullMarked;
