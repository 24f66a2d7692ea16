/**
 * What goes between the nodes of a job in a channel. Start with {@link
 * dev.topo.visualizer.job.JobFlowFinder}.
 */
@NullMarked
package dev.topo.visualizer.job;

import org.jspecify.annotations.NullMarked;
