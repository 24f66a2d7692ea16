/**
 * The time of one call on hardware whose constants are known: a pure function of what the call does
 * ({@link dev.topo.simulator.timing.CallShape}) and of the constants ({@link
 * dev.topo.simulator.calibration.Calibration}). Start with {@link
 * dev.topo.simulator.timing.TimingModel}. Knows nothing of files, topologies and measurements. What
 * NCCL does step by step is that of {@code nccl:src/device} and {@code calcCollChunking} in {@code
 * nccl:src/enqueue.cc}; what each step costs is measured.
 */
@NullMarked
package dev.topo.simulator.timing;

import org.jspecify.annotations.NullMarked;
