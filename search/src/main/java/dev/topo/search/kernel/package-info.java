/**
 * The kernel or copy engine that runs a call, depending on how its buffers are registered. Start
 * with {@link dev.topo.search.kernel.CallPaths}: it combines the choice of an algorithm, its
 * changes with registered buffers ({@link dev.topo.search.kernel.RegisteredTuner}), and kernels for
 * symmetric windows with the copy engine ({@link dev.topo.search.kernel.SymmetricTuner}). Contains
 * no times of real hardware. Reference: {@code nccl:src/sym_kernels.cc}, {@code
 * nccl:src/scheduler/symmetric_sched.cc}, {@code nccl:src/ce_coll.cc}, {@code
 * nccl:src/register/coll_reg.cc} and {@code taskAppend} in {@code nccl:src/enqueue.cc}.
 */
@NullMarked
package dev.topo.search.kernel;

import org.jspecify.annotations.NullMarked;
