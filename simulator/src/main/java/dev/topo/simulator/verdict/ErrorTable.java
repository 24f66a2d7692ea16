package dev.topo.simulator.verdict;

import dev.topo.model.Alike;
import dev.topo.model.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Errors of the timing model and of NCCL's own model, by group.
 *
 * @param rows one for each group, in the order of the measurements, and one for all
 */
public record ErrorTable(List<Row> rows) {
  /**
   * Absolute errors of the predicted time, relative to the measured time.
   *
   * @param count how many
   * @param percentile90 error that 90 of 100 do not exceed
   */
  public record Errors(int count, double median, double percentile90, double largest) {
    /** Sums up errors; their sign does not matter. */
    public static Errors of(double[] errors) {
      if (errors.length == 0) {
        return new Errors(0, 0, 0, 0);
      }
      double[] off = Arrays.stream(errors).map(Math::abs).toArray();
      return new Errors(
          off.length, Quantiles.median(off), Quantiles.of(off, 0.9), Quantiles.of(off, 1));
    }
  }

  public ErrorTable {
    rows = List.copyOf(rows);
  }

  /**
   * A group.
   *
   * @param label name of the group
   * @param model errors of the timing model
   * @param nccl errors of NCCL's own model
   */
  public record Row(String label, Errors model, Errors nccl) {
    /** Sums up comparisons. */
    public static Row of(String label, List<ModelError> comparisons) {
      return new Row(label, ModelError.errors(comparisons), ModelError.ncclErrors(comparisons));
    }
  }

  /** The table of comparisons, grouped by a label. */
  public static ErrorTable of(List<ModelError> comparisons, Function<ModelError, String> labelOf) {
    List<Row> rows = new ArrayList<>();
    Alike.by(comparisons, labelOf).forEach((label, group) -> rows.add(Row.of(label, group)));
    rows.add(Row.of("all", comparisons));
    return new ErrorTable(rows);
  }

  /** Collective, algorithm and protocol of a comparison. */
  public static String pair(ModelError comparison) {
    return comparison.measurement().collective().label()
        + " "
        + comparison.shape().algorithm().label()
        + " "
        + comparison.shape().protocol().label();
  }

  /** The table in Markdown, in percent. */
  public String markdown(String what) {
    StringBuilder text = new StringBuilder();
    text.append("| ").append(what).append(" | times | median | 90th percentile | largest |");
    text.append(" NCCL's model: median | 90th percentile |\n|---|---:|---:|---:|---:|---:|---:|\n");
    for (Row row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %d | %.1f %% | %.1f %% | %.1f %% | %.0f %% | %.0f %% |\n",
              row.label(),
              row.model().count(),
              100 * row.model().median(),
              100 * row.model().percentile90(),
              100 * row.model().largest(),
              100 * row.nccl().median(),
              100 * row.nccl().percentile90()));
    }
    return text.toString();
  }
}
