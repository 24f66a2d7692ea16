package dev.topo.hw.run;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The result of one size, in place or out of place.
 *
 * @param cpuTimeUs time that the host needed to queue a call
 * @param algbwGBps {@code bytes / time}, in 10^9 bytes a second
 * @param busbwGBps algbw times the factor of the collective
 * @param wrong wrong elements on all ranks, if checked
 * @param estimateUs NCCL's own estimate, if requested
 * @param firstWrong the first wrong element of this thread, for a message
 * @param iterations the times of single iterations, if requested
 */
public record CallResult(
    double timeUs,
    double cpuTimeUs,
    double algbwGBps,
    double busbwGBps,
    OptionalLong wrong,
    OptionalDouble estimateUs,
    Optional<String> firstWrong,
    IterationTimes iterations) {}
