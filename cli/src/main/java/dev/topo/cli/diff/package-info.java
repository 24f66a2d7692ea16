/** What {@code topo diff} compares: two machines, or the nodes of a fleet. */
@NullMarked
package dev.topo.cli.diff;

import org.jspecify.annotations.NullMarked;
