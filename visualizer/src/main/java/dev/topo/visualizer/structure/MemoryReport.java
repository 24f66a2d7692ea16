package dev.topo.visualizer.structure;

import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.MulticastNeed;
import dev.topo.visualizer.chart.ChartSheet;
import dev.topo.visualizer.chart.StepChart;
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

  /**
   * The answer.
   *
   * @param format {@code text}, {@code json}, {@code csv}, {@code svg} or {@code png}
   * @param isVerbose whether a text has all that is known
   */
  public Answer in(String format, boolean isVerbose) {
    String sentence = MemoryHeadline.of(title, answer, limit, savings);
    return switch (format) {
      case "text" -> MemoryText.of(title, answer, multicast, savings, isVerbose).saying(sentence);
      case "json" -> MemoryData.json(answer, multicast, savings).saying(sentence);
      case "csv" -> MemoryData.csv(answer);
      default -> ChartSheet.of(StepChart.of(sentence, title, answer)).in(format);
    };
  }
}
