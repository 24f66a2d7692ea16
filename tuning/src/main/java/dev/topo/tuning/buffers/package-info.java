/**
 * By what NCCL runs a call, given how it knows the buffers: start with {@link
 * dev.topo.tuning.buffers.CallPaths}. It joins the choice of an algorithm ({@link
 * dev.topo.tuning.Tuner}), what registered buffers change in it, and kernels for symmetric windows
 * with the copy engine ({@link dev.topo.tuning.symmetric.SymmetricTuner}). Knows no times of real
 * hardware. Reference: {@code nccl:src/enqueue.cc}, {@code nccl:src/register/coll_reg.cc}.
 */
@NullMarked
package dev.topo.tuning.buffers;

import org.jspecify.annotations.NullMarked;
