/**
 * A job's communication on one page: its step, a timeline of its calls, measured beside expected
 * times, ranks that come late. Start with {@link dev.topo.visualizer.workload.WorkloadPage}.
 */
@NullMarked
package dev.topo.visualizer.workload;

import org.jspecify.annotations.NullMarked;
