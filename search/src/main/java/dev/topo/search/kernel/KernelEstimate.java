package dev.topo.search.kernel;

/**
 * The estimate of NCCL's model for a kernel.
 *
 * @param blocks the smallest number of blocks about as fast as the largest
 * @param timeUs time in microseconds
 * @param weighedUs the time with NCCL's penalty for blocks; NCCL chooses the kernel with the lowest
 */
public record KernelEstimate(int blocks, float timeUs, float weighedUs) {}
