/**
 * Model of the time of a call on hardware with known constants: a pure function of the shape of the
 * call ({@link dev.topo.simulator.timing.CallShape}) and of the constants ({@link
 * dev.topo.simulator.calibration.Calibration}). Start with {@link
 * dev.topo.simulator.timing.TimingModel}. Independent of files, topologies and measurements. The
 * steps follow {@code nccl:src/device} and {@code calcCollChunking} in {@code nccl:src/enqueue.cc};
 * the cost of each step is measured.
 */
@NullMarked
package dev.topo.simulator.timing;

import org.jspecify.annotations.NullMarked;
