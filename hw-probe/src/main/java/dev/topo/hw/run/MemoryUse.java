package dev.topo.hw.run;

/**
 * GPU memory that was taken, the most of any GPU.
 *
 * @param initialization by making the communicators, in bytes
 * @param buffers by the buffers
 * @param collective by running
 */
public record MemoryUse(long initialization, long buffers, long collective) {}
