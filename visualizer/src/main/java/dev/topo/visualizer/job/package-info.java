/**
 * The hops of a channel between the nodes of a job, and their layout. Start with {@link
 * dev.topo.visualizer.job.JobFlowFinder}.
 */
@NullMarked
package dev.topo.visualizer.job;

import org.jspecify.annotations.NullMarked;
