/**
 * Machines, their paths and graphs, and how a job connects them. One class for each form of an
 * answer.
 */
@NullMarked
package dev.topo.output.graph;

import org.jspecify.annotations.NullMarked;
