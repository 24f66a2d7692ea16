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
 * A bar chart of the steps of a job, in order: the GPU memory that each step adds.
 *
 * @param title the answer in one sentence
 * @param subject what the bars show, below the title
 * @param steps the steps, shared by all groups of bars
 * @param groups the groups of bars, side by side in each step
 */
public record StepChart(String title, String subject, List<String> steps, List<Bars> groups) {
  private static final double MIB = 1 << 20;

  /**
   * A group of bars, one for each step.
   *
   * @param name the name of the group, for the legend
   * @param look determines the colour
   * @param mib the heights in MiB
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

  /** Returns the memory of the GPU on which NCCL takes most. */
  public static StepChart of(String title, String machines, MemoryAnswer answer) {
    int rank = answer.fullestRank();
    List<StepMemory> steps = answer.ofRank(rank);
    return new StepChart(
        title,
        subject(machines, rank),
        steps.stream().map(step -> step.step().label()).toList(),
        List.of(bars("predicted", Look.PREDICTED, steps, StepMemory::gpuBytes)));
  }

  /** Returns the predicted and measured memory of the rank with the largest difference. */
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
