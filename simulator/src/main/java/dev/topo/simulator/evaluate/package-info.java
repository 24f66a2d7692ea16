/**
 * The entry point of the library: a job with its settings, its calls and a calibration in; graphs,
 * connection, choices and times out. Start with {@link dev.topo.simulator.evaluate.JobEvaluator}. A
 * job as stated is a {@link dev.topo.simulator.evaluate.JobSpec}, which {@link
 * dev.topo.simulator.evaluate.JobResolver} turns into communicators. {@link
 * dev.topo.simulator.evaluate.CallPlanner} derives the launch parameters of a call, {@link
 * dev.topo.simulator.evaluate.CallPredictor} and {@link dev.topo.simulator.evaluate.PeerPredictor}
 * its time from a communicator, the actual machine and a calibration, {@link
 * dev.topo.simulator.evaluate.RecommendedRules} the algorithm and protocol to run instead of NCCL's
 * choice. {@link dev.topo.simulator.evaluate.CommunicatorPredictions} is the table of predictions
 * with their basis. Knows no options and no output formats.
 */
@NullMarked
package dev.topo.simulator.evaluate;

import org.jspecify.annotations.NullMarked;
