package dev.topo.simulator.memory;

import java.util.OptionalDouble;

/**
 * A setting by which NCCL takes less memory of the GPU that has least left.
 *
 * @param setting as {@code NAME=VALUE}
 * @param savedBytes less memory in all steps together
 * @param slowestChange change of the busbw of the call of the steps that loses most, as a part;
 *     empty where no time is predicted
 */
public record MemorySaving(String setting, long savedBytes, OptionalDouble slowestChange) {}
