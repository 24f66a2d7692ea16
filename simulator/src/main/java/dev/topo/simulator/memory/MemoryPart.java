package dev.topo.simulator.memory;

/**
 * Memory for one purpose.
 *
 * @param what the purpose, in NCCL's terms
 * @param place where the memory is
 * @param bytes its size, including loss by rounding
 */
public record MemoryPart(String what, MemoryPlace place, long bytes) {}
