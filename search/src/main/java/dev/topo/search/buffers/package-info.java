/**
 * By what NCCL runs a call, given how it knows the buffers: start with {@link
 * dev.topo.search.buffers.CallPaths}. It joins the choice of an algorithm ({@link
 * dev.topo.search.tuning.Tuner}), what registered buffers change in it, and kernels for symmetric
 * windows with the copy engine ({@link dev.topo.search.symmetric.SymmetricTuner}). Knows no times
 * of real hardware. Reference: {@code nccl:src/enqueue.cc}, {@code nccl:src/register/coll_reg.cc}.
 */
@NullMarked
package dev.topo.search.buffers;

import org.jspecify.annotations.NullMarked;
