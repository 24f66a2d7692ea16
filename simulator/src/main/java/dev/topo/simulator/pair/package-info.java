/**
 * The hosts, network ports, rails and switches that explain the slow runs of a matrix of pairs.
 * Start with {@link dev.topo.simulator.pair.PairDiagnosis}. Uses measurements and the switch map,
 * no model of NCCL.
 */
@NullMarked
package dev.topo.simulator.pair;

import org.jspecify.annotations.NullMarked;
