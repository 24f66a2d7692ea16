package dev.topo.search.kernel;

/**
 * The estimate of NCCL's model for a kernel.
 *
 * @param blocks the fewest blocks that are about as fast as the most
 * @param timeUs time in microseconds
 * @param weighedUs the time with NCCL's penalty for blocks: the kernel with the least is chosen
 */
public record KernelEstimate(int blocks, float timeUs, float weighedUs) {}
