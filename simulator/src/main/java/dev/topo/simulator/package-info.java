/**
 * Times of collectives from a communicator, the actual machine and a calibration. Start with {@link
 * dev.topo.simulator.Predictor}. NCCL's own model, which only ranks algorithms, is {@code
 * dev.topo.tuning}.
 */
@NullMarked
package dev.topo.simulator;

import org.jspecify.annotations.NullMarked;
