/**
 * A training job's communicators and calls, as its traces describe them. {@link
 * dev.topo.workload.trace.RankTrace} is what one rank recorded, {@link dev.topo.workload.Workload}
 * the calls of all ranks joined. Knows no file format.
 */
@NullMarked
package dev.topo.workload;

import org.jspecify.annotations.NullMarked;
