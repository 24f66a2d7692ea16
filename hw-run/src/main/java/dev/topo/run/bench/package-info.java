/**
 * Runs a collective on some GPUs, measures it as nccl-tests does and checks its results. Start with
 * {@link dev.topo.run.bench.CollectiveBench}. The GPUs are behind {@link
 * dev.topo.run.bench.GpuGroup}: nothing here knows CUDA or NCCL.
 */
@NullMarked
package dev.topo.run.bench;

import org.jspecify.annotations.NullMarked;
