/**
 * The entry point of the library: a job with its settings, its calls and a calibration in; graphs,
 * connection, choices and times out. Start with {@link dev.topo.simulator.evaluate.JobEvaluator}.
 */
@NullMarked
package dev.topo.simulator.evaluate;

import org.jspecify.annotations.NullMarked;
