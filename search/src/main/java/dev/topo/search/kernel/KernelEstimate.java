package dev.topo.search.kernel;

/**
 * What NCCL's model says of a kernel for a launch.
 *
 * @param blocks the fewest blocks that are about as fast as the most
 * @param timeUs time in microseconds
 * @param weighedUs the time with what NCCL adds for the blocks: the kernel with the least is chosen
 */
public record KernelEstimate(int blocks, float timeUs, float weighedUs) {}
