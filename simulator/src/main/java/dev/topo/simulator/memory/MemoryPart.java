package dev.topo.simulator.memory;

/**
 * Memory that serves one purpose.
 *
 * @param what the purpose, in NCCL's terms
 * @param place where the memory is
 * @param bytes size, including what rounding adds
 */
public record MemoryPart(String what, MemoryPlace place, long bytes) {}
