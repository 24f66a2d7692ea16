package dev.topo.simulator.memory;

import java.util.OptionalDouble;

/**
 * A setting that lowers NCCL's memory on the GPU that has the most.
 *
 * @param setting the setting as {@code NAME=VALUE}
 * @param savedBytes memory saved, over all steps
 * @param slowestChange relative change of the busbw of the call that loses most; empty if no time
 *     is predicted
 */
public record MemorySaving(String setting, long savedBytes, OptionalDouble slowestChange) {}
