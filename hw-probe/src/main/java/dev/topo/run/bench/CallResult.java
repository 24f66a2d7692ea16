package dev.topo.run.bench;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One size, run in place or out of place.
 *
 * @param timeUs time of a call
 * @param cpuTimeUs time that the host needed to queue a call
 * @param algbwGBps {@code bytes / time}, in 10^9 bytes a second
 * @param busbwGBps what that is on the busiest link
 * @param wrong wrong elements on all ranks, if checked
 * @param estimateUs what NCCL estimated, if asked
 * @param firstWrong where the first wrong element of this thread is, for a message
 */
public record CallResult(
    double timeUs,
    double cpuTimeUs,
    double algbwGBps,
    double busbwGBps,
    OptionalLong wrong,
    OptionalDouble estimateUs,
    Optional<String> firstWrong) {}
