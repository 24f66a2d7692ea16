/**
 * Which calls NCCL runs by kernels for symmetric windows or by the copy engine instead of an
 * algorithm, and why not. Start with {@link dev.topo.tuning.symmetric.SymmetricTuner}: from the
 * properties of a communicator, a {@link dev.topo.tuning.symmetric.SymmetricCall} and the {@link
 * dev.topo.tuning.symmetric.Buffers} it decides a {@link
 * dev.topo.tuning.symmetric.SymmetricDecision}. It knows no algorithms: what it leaves to them,
 * {@link dev.topo.tuning.Tuner} decides. Reference: {@code nccl:src/sym_kernels.cc}, {@code
 * nccl:src/scheduler/symmetric_sched.cc}, {@code nccl:src/ce_coll.cc} and {@code taskAppend} in
 * {@code nccl:src/enqueue.cc}.
 */
@NullMarked
package dev.topo.tuning.symmetric;

import org.jspecify.annotations.NullMarked;
