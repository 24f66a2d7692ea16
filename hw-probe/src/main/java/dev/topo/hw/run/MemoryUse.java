package dev.topo.hw.run;

/**
 * GPU memory in use, the maximum over the GPUs.
 *
 * @param initialization bytes for creating the communicators
 * @param buffers bytes of the buffers
 * @param collective bytes for running collectives
 */
public record MemoryUse(long initialization, long buffers, long collective) {}
