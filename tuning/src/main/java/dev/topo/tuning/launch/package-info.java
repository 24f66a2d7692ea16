/**
 * The launch parameters of a call once its algorithm and protocol are chosen: channels, threads and
 * the part of the data on each channel. Start with {@link dev.topo.tuning.launch.LaunchShape}; the
 * result is a {@link dev.topo.tuning.launch.Decision}. Knows nothing of predicted times. Reference:
 * {@code nccl:src/enqueue.cc}.
 */
@NullMarked
package dev.topo.tuning.launch;

import org.jspecify.annotations.NullMarked;
