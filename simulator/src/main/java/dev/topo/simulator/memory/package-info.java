/**
 * The memory that NCCL takes of GPUs and hosts, step by step, from channels, peers, protocols,
 * buffer sizes and transports; start with {@link dev.topo.simulator.memory.MemoryModel}. Knows
 * nothing of times. Origin: the allocations of {@code nccl:src} 2.28.9, named at each rule.
 */
@NullMarked
package dev.topo.simulator.memory;

import org.jspecify.annotations.NullMarked;
