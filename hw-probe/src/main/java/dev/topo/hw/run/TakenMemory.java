package dev.topo.hw.run;

/**
 * Memory that a step took on a GPU and in its process.
 *
 * @param step the step, as {@code topo memory --steps} names it
 * @param gpuBytes decrease of the free memory of the GPU ({@code cudaMemGetInfo})
 * @param hostSharedKib growth of the shared resident memory of the process, in KiB
 */
public record TakenMemory(String step, long gpuBytes, long hostSharedKib) {}
