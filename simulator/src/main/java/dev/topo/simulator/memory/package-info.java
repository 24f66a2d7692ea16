/**
 * The memory that NCCL takes on GPUs and hosts, step by step, from channels, peers, protocols,
 * buffer sizes and transports; start with {@link dev.topo.simulator.memory.MemoryModel}.
 * Independent of predicted times. The rules follow the allocations in {@code nccl:src} 2.28.9; each
 * names its source.
 */
@NullMarked
package dev.topo.simulator.memory;

import org.jspecify.annotations.NullMarked;
