package dev.topo.probe.nvml;

/** Whether a GPU may access the memory of another, according to NVML. */
public record NvmlPeer(int from, int to, boolean read, boolean write) {}
