package dev.topo.probe.nvml;

/**
 * Whether a GPU may access the memory of another, according to NVML.
 *
 * @param from index of the GPU that accesses
 * @param to index of the GPU that is accessed
 * @param read whether it may read
 * @param write whether it may write
 */
public record NvmlPeer(int from, int to, boolean read, boolean write) {}
