package dev.topo.inspect.measured;

import dev.topo.inspect.measured.CsvTable.Row;
import dev.topo.model.io.TopologyFormatException;
import java.util.List;
import java.util.Optional;

/** Reads the CSV of {@code topo predict}: predictions for NCCL's choices. */
public final class PredictedTable {
  private PredictedTable() {}

  /**
   * Prediction for NCCL's choice.
   *
   * @param nodes number of nodes
   * @param operation the operation, as nccl-tests spells it
   * @param bytes size of the call
   * @param busbwGBps predicted busbw in GB/s
   * @param range busbw at both ends of the time's range; empty if no range is known
   */
  public record Prediction(
      int nodes, String operation, long bytes, double busbwGBps, Optional<Range> range) {}

  /** Range of busbw, in GB/s. */
  public record Range(double lowGBps, double highGBps) {}

  /**
   * Reads the predictions of a text, in order.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if a column is missing or a cell is malformed
   */
  public static List<Prediction> read(String text, String file) {
    CsvTable table = new CsvTable(text, file);
    return table.rows().stream()
        .peek(table::checkWidth)
        .filter(row -> table.cell(row, "chosen").equals("true"))
        .map(row -> prediction(table, row))
        .toList();
  }

  private static Prediction prediction(CsvTable table, Row row) {
    double timeUs = table.number(row, "time_us");
    double busbw = table.number(row, "busbw_gbps");
    Optional<Range> range =
        table.cell(row, "time_low_us").isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Range(
                    busbw * timeUs / table.number(row, "time_high_us"),
                    busbw * timeUs / table.number(row, "time_low_us")));
    return new Prediction(
        (int) table.integer(row, "nodes", 1, Integer.MAX_VALUE, "1 or more"),
        table.cell(row, "collective"),
        table.integer(row, "bytes", 0, Long.MAX_VALUE, "0 or more"),
        busbw,
        range);
  }
}
