package dev.topo.hw.run;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Result of one size, in place or out of place.
 *
 * @param timeUs time of a call
 * @param cpuTimeUs time of the host to queue a call
 * @param algbwGBps {@code bytes / time}, in 10^9 bytes per second
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
