package dev.topo.visualizer.chart;

import dev.topo.model.io.TextWriter;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryComparison;
import dev.topo.simulator.memory.MemoryComparison.Row;
import dev.topo.simulator.memory.StepMemory;
import dev.topo.visualizer.chart.Curve.Look;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Bars for the steps of a job, in order: the memory of a GPU that each adds.
 *
 * @param title the answer in a sentence
 * @param subject the subject of the bars, below the title
 * @param steps the steps, each once for all groups of bars
 * @param groups the bars, beside each other in a step
 */
public record StepChart(String title, String subject, List<String> steps, List<Bars> groups) {
  private static final double MIB = 1 << 20;

  /**
   * A bar for each step.
   *
   * @param name its name, for the legend
   * @param look determines the colour
   * @param mib heights in MiB
   */
  public record Bars(String name, Look look, List<Double> mib) {
    public Bars {
      mib = List.copyOf(mib);
    }
  }

  public StepChart {
    steps = List.copyOf(steps);
    groups = List.copyOf(groups);
  }

  /** The memory of the GPU that NCCL takes most of. */
  public static StepChart of(String title, String machines, MemoryAnswer answer) {
    int rank = answer.fullestRank();
    List<StepMemory> steps = answer.ofRank(rank);
    return new StepChart(
        title,
        subject(machines, rank),
        steps.stream().map(step -> step.step().label()).toList(),
        List.of(bars("predicted", Look.PREDICTED, steps, StepMemory::gpuBytes)));
  }

  /** Predicted and measured memory of the rank with the largest difference. */
  public static StepChart of(String title, String machines, MemoryComparison comparison) {
    List<Row> rows = comparison.ofRank(comparison.shownRank());
    return new StepChart(
        title,
        subject(machines, comparison.shownRank()),
        rows.stream().map(Row::step).toList(),
        List.of(
            bars("predicted", Look.PREDICTED, rows, row -> row.gpu().predicted()),
            bars("measured", Look.MEASURED, rows, row -> row.gpu().measured())));
  }

  private static <T> Bars bars(String name, Look look, List<T> steps, ToDoubleFunction<T> bytes) {
    return new Bars(
        name, look, steps.stream().map(step -> bytes.applyAsDouble(step) / MIB).toList());
  }

  /** The chart in words: the title, then each step with its bars. */
  String description() {
    StringBuilder text = new StringBuilder(title);
    for (int step = 0; step < steps.size(); step++) {
      text.append(step == 0 ? " " : "; ").append(steps.get(step)).append(':');
      for (Bars bars : groups) {
        text.append(bars == groups.get(0) ? " " : ", ")
            .append(TextWriter.format("%.0f MiB ", bars.mib.get(step)))
            .append(bars.name);
      }
    }
    return text.append('.').toString();
  }

  private static String subject(String machines, int rank) {
    return "%s: GPU of rank %s, what each step adds".formatted(machines, rank);
  }
}
