package dev.topo.hw.run;

/**
 * The memory that a step took of a GPU and of its process.
 *
 * @param step the step, as {@code topo memory --steps} names it
 * @param gpuBytes fall of the free memory of the GPU ({@code cudaMemGetInfo})
 * @param hostSharedKib growth of the shared resident memory of the process
 */
public record TakenMemory(String step, long gpuBytes, long hostSharedKib) {}
