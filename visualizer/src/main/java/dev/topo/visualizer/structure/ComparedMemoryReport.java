package dev.topo.visualizer.structure;

import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryComparison;
import dev.topo.simulator.memory.MulticastNeed;
import dev.topo.visualizer.chart.ChartSheet;
import dev.topo.visualizer.chart.StepChart;
import dev.topo.visualizer.view.Answer;

/**
 * Predicted beside measured memory as {@code topo memory} shows it.
 *
 * @param title the job
 * @param answer what is predicted
 */
public record ComparedMemoryReport(
    String title, MemoryAnswer answer, MulticastNeed multicast, MemoryComparison comparison) {
  /**
   * The answer.
   *
   * @param format {@code text}, {@code json}, {@code csv}, {@code svg} or {@code png}
   * @param isVerbose whether a text has all that is known
   */
  public Answer in(String format, boolean isVerbose) {
    String sentence = MemoryAgreement.headline(comparison);
    return switch (format) {
      case "text" ->
          MemoryAgreement.text(title, comparison, answer.gaps(), isVerbose).saying(sentence);
      case "json" -> MemoryData.json(answer, multicast, comparison).saying(sentence);
      case "csv" -> MemoryData.csv(comparison);
      default -> ChartSheet.of(StepChart.of(sentence, title, comparison)).in(format);
    };
  }
}
