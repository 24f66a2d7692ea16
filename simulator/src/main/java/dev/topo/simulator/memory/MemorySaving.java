package dev.topo.simulator.memory;

import java.util.OptionalDouble;

/**
 * Setting with which NCCL takes less memory on the GPU where it takes most.
 *
 * @param setting as {@code NAME=VALUE}
 * @param savedBytes memory saved over all steps
 * @param slowestChange relative change of the busbw of the call that loses most; empty if no time
 *     is predicted
 */
public record MemorySaving(String setting, long savedBytes, OptionalDouble slowestChange) {}
