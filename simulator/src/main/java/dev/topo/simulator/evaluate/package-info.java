/**
 * The entry point of the library: a job with its settings, its calls and a calibration in; graphs,
 * connection, choices and times out. Start with {@link dev.topo.simulator.evaluate.JobEvaluator}. A
 * job as it is stated is a {@link dev.topo.simulator.evaluate.JobSpec}, of which {@link
 * dev.topo.simulator.evaluate.JobResolver} makes requests. {@link
 * dev.topo.simulator.evaluate.CallPlanner} derives what a call does, {@link
 * dev.topo.simulator.evaluate.CallPredictor} and {@link dev.topo.simulator.evaluate.PeerPredictor}
 * its time from a communicator, the actual machine and a calibration, {@link
 * dev.topo.simulator.evaluate.RecommendedRules} which algorithm and protocol to run instead of
 * NCCL's choice. {@link dev.topo.simulator.evaluate.Forecast} is the table of predictions with what
 * they rest on. Knows nothing of options and output formats.
 */
@NullMarked
package dev.topo.simulator.evaluate;

import org.jspecify.annotations.NullMarked;
