/**
 * What a collective will take: from a communicator, the machine it really runs on and a calibration
 * to times. Start with {@link dev.topo.simulator.Predictor}. NCCL's own model, which ranks
 * algorithms and does not tell times, is {@code dev.topo.search.tuning}.
 */
@NullMarked
package dev.topo.simulator;

import org.jspecify.annotations.NullMarked;
