/**
 * The GPUs of one process, ready to run: its communicators, buffers and the other processes. {@link
 * dev.topo.run.job.GpuJob} is implemented over CUDA and NCCL, and by tests without either.
 */
@NullMarked
package dev.topo.run.job;

import org.jspecify.annotations.NullMarked;
