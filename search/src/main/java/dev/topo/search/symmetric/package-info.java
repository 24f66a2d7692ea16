/**
 * Which calls NCCL runs by kernels for symmetric windows or by the copy engine instead of an
 * algorithm, and why not. Start with {@link dev.topo.search.symmetric.SymmetricTuner}: from the
 * properties of a communicator, a {@link dev.topo.search.symmetric.SymmetricCall} and the {@link
 * dev.topo.search.symmetric.Buffers} it decides a {@link
 * dev.topo.search.symmetric.SymmetricDecision}. It knows no algorithms: what it leaves to them,
 * {@link dev.topo.search.tuning.Tuner} decides. Reference: {@code nccl:src/sym_kernels.cc}, {@code
 * nccl:src/scheduler/symmetric_sched.cc}, {@code nccl:src/ce_coll.cc} and {@code taskAppend} in
 * {@code nccl:src/enqueue.cc}.
 */
@NullMarked
package dev.topo.search.symmetric;

import org.jspecify.annotations.NullMarked;
