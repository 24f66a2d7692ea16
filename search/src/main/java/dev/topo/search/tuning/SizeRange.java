package dev.topo.search.tuning;

import dev.topo.model.Alike;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import java.util.List;
import java.util.Optional;

/**
 * Sizes of a call for which NCCL chooses the same algorithm, protocol, channels and threads, or
 * refuses. Only the time differs within it.
 *
 * @param minBytes the smallest size
 * @param maxBytes the largest size, which is part of the range
 * @param atMin NCCL's decision for the smallest size
 * @param atMax NCCL's decision for the largest size
 */
public record SizeRange(long minBytes, long maxBytes, Decision atMin, Decision atMax) {
  /** Checks the order of the sizes and that both decisions agree. */
  public SizeRange {
    if (minBytes < 0 || maxBytes < minBytes) {
      throw new IllegalArgumentException("no range of sizes: " + minBytes + " to " + maxBytes);
    }
    if (!isSame(atMin, atMax)) {
      throw new IllegalArgumentException(atMin + " and " + atMax + " in one range");
    }
  }

  /** NCCL's choice, with the time of the smallest size; empty if it refuses. */
  public Optional<Choice> choice() {
    return atMin.choice();
  }

  /** Channels of a single call of the smallest size; 0 if NCCL refuses it. */
  public int channelsAtMin(CommFacts facts, Collective collective) {
    return channels(facts, collective, minBytes, atMin);
  }

  /** Channels of a single call of the largest size; 0 if NCCL refuses it. */
  public int channelsAtMax(CommFacts facts, Collective collective) {
    return channels(facts, collective, maxBytes, atMax);
  }

  private static int channels(
      CommFacts facts, Collective collective, long sizeBytes, Decision decision) {
    CollectiveCall call = CollectiveCall.of(collective, sizeBytes);
    return decision.choice().map(choice -> ChannelShare.launched(facts, call, choice)).orElse(0);
  }

  /**
   * Groups adjacent ranges with the same algorithm and protocol, whatever their channels and
   * threads.
   */
  public static List<List<SizeRange>> byPair(List<SizeRange> ranges) {
    return Alike.runs(ranges, SizeRange::pair);
  }

  private Optional<String> pair() {
    return atMin instanceof Decision.Refusal refusal
        ? Optional.of(refusal.sentence())
        : choice().map(choice -> choice.algorithm() + "/" + choice.protocol());
  }

  /** True if two decisions differ in time only. */
  static boolean isSame(Decision a, Decision b) {
    return withoutTime(a).equals(withoutTime(b));
  }

  private static Decision withoutTime(Decision decision) {
    return decision instanceof Choice c
        ? new Choice(c.algorithm(), c.protocol(), c.channels(), c.threads(), 0)
        : decision;
  }
}
