package dev.topo.probe.nvml;

/** A link of a GPU to a CPU of NVIDIA. */
public record NvmlC2cLink(int number, boolean active, int bwMBps) {}
