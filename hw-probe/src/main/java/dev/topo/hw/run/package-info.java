/**
 * Runs a collective on some GPUs, measures it as nccl-tests does and checks its results. Start with
 * {@link dev.topo.hw.run.RunRequest} and {@link dev.topo.hw.run.CollectiveBench}; {@link
 * dev.topo.hw.run.Replayer} repeats the calls of a traced job. The GPUs are behind {@link
 * dev.topo.hw.run.GpuGroup}: nothing here depends on CUDA. {@link dev.topo.hw.run.WorkerProcess}
 * starts a run in its own process and receives its events as lines of JSON, so that a crash in a
 * driver or in NCCL becomes a message. Reference: <a
 * href="https://github.com/NVIDIA/nccl-tests">nccl-tests</a>.
 */
@NullMarked
package dev.topo.hw.run;

import org.jspecify.annotations.NullMarked;
