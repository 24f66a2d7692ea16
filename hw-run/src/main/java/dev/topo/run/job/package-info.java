/**
 * One process of a run: its number and rendezvous address, from the variables that its launcher
 * sets ({@link dev.topo.run.job.LauncherReader}), and its GPUs with communicators and buffers
 * ({@link dev.topo.run.job.GpuJob}, filled by CUDA and NCCL, and by tests without either).
 */
@NullMarked
package dev.topo.run.job;

import org.jspecify.annotations.NullMarked;
