package dev.topo.visualizer.structure;

import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.MulticastNeed;
import dev.topo.visualizer.view.Answer;
import java.util.List;
import java.util.OptionalLong;

/**
 * The memory that NCCL takes, with what goes with it.
 *
 * @param title what to call the machines
 * @param multicast the multicast objects that it needs
 * @param savings settings by which it takes less; none where they are not asked for
 * @param limit most bytes of a GPU that NCCL may take
 */
public record MemoryReport(
    String title,
    MemoryAnswer answer,
    MulticastNeed multicast,
    List<MemorySaving> savings,
    OptionalLong limit) {
  public MemoryReport {
    savings = List.copyOf(savings);
  }

  /** True if NCCL takes more of a GPU than it may. */
  public boolean exceedsLimit() {
    return limit.isPresent()
        && answer.total(answer.fullestRank(), MemoryPlace.GPU) > limit.getAsLong();
  }

  /**
   * The answer.
   *
   * @param format {@code text}, {@code json} or {@code csv}
   * @param isVerbose whether a text has all that is known
   */
  public Answer in(String format, boolean isVerbose) {
    return switch (format) {
      case "text" ->
          MemoryText.of(title, answer, multicast, savings, isVerbose)
              .saying(MemoryHeadline.of(answer, limit));
      case "json" ->
          MemoryData.json(answer, multicast, savings).saying(MemoryHeadline.of(answer, limit));
      default -> MemoryData.csv(answer);
    };
  }
}
