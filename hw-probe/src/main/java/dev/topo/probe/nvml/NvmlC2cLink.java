package dev.topo.probe.nvml;

/**
 * A link of a GPU to a CPU of NVIDIA.
 *
 * @param number its number on the GPU
 * @param active whether it is up
 * @param bwMBps its bandwidth in MB/s
 */
public record NvmlC2cLink(int number, boolean active, int bwMBps) {}
