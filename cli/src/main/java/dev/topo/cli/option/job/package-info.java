/**
 * Options for the machines of a job, their placement, processes and variants. Start with {@link
 * dev.topo.cli.option.job.JobOptions}. Knows nothing of calls.
 */
@NullMarked
package dev.topo.cli.option.job;

import org.jspecify.annotations.NullMarked;
