package dev.topo.simulator.memory;

/**
 * Memory that something takes.
 *
 * @param what what takes it, in NCCL's terms
 * @param place where it is
 * @param bytes how much, with what is lost by rounding
 */
public record MemoryPart(String what, MemoryPlace place, long bytes) {}
