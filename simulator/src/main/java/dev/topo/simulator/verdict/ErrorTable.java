package dev.topo.simulator.verdict;

import dev.topo.model.Alike;
import dev.topo.model.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Errors of the timing model and of NCCL's own model, for groups of measurements.
 *
 * @param rows one for each group, in the order of its first measurement, and one for all
 *     measurements
 */
public record ErrorTable(List<Row> rows) {
  /**
   * Absolute errors of the predicted time, relative to the measured time.
   *
   * @param count number of errors
   * @param percentile90 error that 90 of 100 do not exceed
   */
  public record Errors(int count, double median, double percentile90, double largest) {
    /** Summarizes the errors of some items, regardless of their sign. */
    static <T> Errors of(List<T> items, ToDoubleFunction<T> error) {
      return of(items.stream().mapToDouble(error).toArray());
    }

    /** Summarizes errors, regardless of their sign. */
    public static Errors of(double[] errors) {
      if (errors.length == 0) {
        return new Errors(0, 0, 0, 0);
      }
      double[] absolute = Arrays.stream(errors).map(Math::abs).toArray();
      return new Errors(
          absolute.length,
          Quantiles.median(absolute),
          Quantiles.of(absolute, 0.9),
          Quantiles.of(absolute, 1));
    }
  }

  public ErrorTable {
    rows = List.copyOf(rows);
  }

  /**
   * The errors of a group.
   *
   * @param label name of the group
   * @param model errors of the timing model
   * @param nccl errors of NCCL's own model
   */
  public record Row(String label, Errors model, Errors nccl) {
    /** Summarizes comparisons. */
    public static Row of(String label, List<ModelError> comparisons) {
      return new Row(label, ModelError.errors(comparisons), ModelError.ncclErrors(comparisons));
    }
  }

  /** Summarizes comparisons in groups of the same label. */
  public static ErrorTable of(List<ModelError> comparisons, Function<ModelError, String> labelOf) {
    List<Row> rows = new ArrayList<>();
    Alike.by(comparisons, labelOf).forEach((label, group) -> rows.add(Row.of(label, group)));
    rows.add(Row.of("all", comparisons));
    return new ErrorTable(rows);
  }

  /** Label of a comparison: its collective, algorithm and protocol. */
  public static String pair(ModelError comparison) {
    return comparison.measurement().collective().label()
        + " "
        + comparison.shape().algorithm().label()
        + " "
        + comparison.shape().protocol().label();
  }

  /**
   * Formats the table in Markdown, with errors in percent.
   *
   * @param what heading of the column of labels
   */
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
