package dev.topo.inspect.measured;

import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.measured.CsvTable.Row;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Reads measurements from CSV with a heading: {@code gpus, collective} (nccl-tests' names), {@code
 * forced_algorithm, forced_protocol} (empty for NCCL's choice), {@code bytes, time_us,
 * time_inplace_us}, in any order, and, if channels were forced, {@code channels}; other columns,
 * blank lines, lines that begin with #, sends and receives, and sizes of 0 are skipped.
 */
public final class MeasurementReader {
  private final CsvTable table;

  private MeasurementReader(CsvTable table) {
    this.table = table;
  }

  /**
   * Measurements in a text, in order.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if a line does not match the heading
   */
  public static MeasuredRun read(String text, String file) {
    MeasurementReader reader = new MeasurementReader(new CsvTable(text, file));
    List<Row> rows = reader.table.rows();
    List<Measurement> measurements =
        rows.stream().filter(row -> !reader.isSkipped(row)).map(reader::measurement).toList();
    return new MeasuredRun(
        file,
        RunOrigin.of(text),
        OptionalInt.empty(),
        OptionalInt.empty(),
        NcclSettings.DEFAULTS,
        List.of(),
        measurements,
        List.of(),
        rows.size() - measurements.size(),
        List.of(),
        rows.stream().filter(reader::isPeer).map(reader::peer).toList());
  }

  /** True if a row is not a measurement of a collective with algorithms. */
  private boolean isSkipped(Row row) {
    return TestedCollective.isPeerToPeer(table.cellIfAny(row, "collective"))
        || table.cellIfAny(row, "bytes").equals("0");
  }

  private boolean isPeer(Row row) {
    return TestedCollective.isPeerToPeer(table.cellIfAny(row, "collective"))
        && !table.cellIfAny(row, "bytes").equals("0");
  }

  private PeerMeasurement peer(Row row) {
    return accepted(
        row,
        () ->
            new PeerMeasurement(
                (int) integer(row, "gpus", 1, Integer.MAX_VALUE),
                TestedCollective.peer(table.cell(row, "collective")).orElseThrow(),
                integer(row, "bytes", 0, Long.MAX_VALUE),
                table.number(row, "time_us"),
                table.number(row, "time_inplace_us")));
  }

  private Measurement measurement(Row row) {
    return accepted(
        row,
        () ->
            new Measurement(
                (int) integer(row, "gpus", 1, Integer.MAX_VALUE),
                collective(row),
                forced(row),
                channels(row),
                integer(row, "bytes", 0, Long.MAX_VALUE),
                table.number(row, "time_us"),
                table.number(row, "time_inplace_us")));
  }

  /** The value of a row, whose errors get the location of the row. */
  private <T> T accepted(Row row, Supplier<T> value) {
    table.checkWidth(row);
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw table.wrong(row, 0, String.valueOf(e.getMessage()));
    }
  }

  private Collective collective(Row row) {
    String name = table.cell(row, "collective");
    return TestedCollective.of(name)
        .orElseThrow(
            () ->
                table.wrong(
                    row,
                    "collective",
                    "collective \""
                        + name
                        + "\" is not one of all_reduce, all_gather,"
                        + " reduce_scatter, broadcast, reduce"));
  }

  private Optional<Pair> forced(Row row) {
    String algorithm = table.cell(row, "forced_algorithm");
    String protocol = table.cell(row, "forced_protocol");
    if (algorithm.isEmpty() && protocol.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Pair(
            Algorithm.ofLabel(algorithm)
                .orElseThrow(() -> unknown("forced_algorithm", algorithm, row)),
            Protocol.ofLabel(protocol)
                .orElseThrow(() -> unknown("forced_protocol", protocol, row))));
  }

  private OptionalInt channels(Row row) {
    return table.cellIfAny(row, "channels").isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of((int) integer(row, "channels", 1, ChannelGraph.MAX_CHANNELS));
  }

  private TopologyFormatException unknown(String name, String value, Row row) {
    return table.wrong(
        row,
        name,
        name + " \"" + value + "\" is not known; both pair columns must be filled, or none");
  }

  private long integer(Row row, String name, long min, long max) {
    String upTo = max == ChannelGraph.MAX_CHANNELS ? " to " + max : " or more";
    return table.integer(row, name, min, max, min + upTo);
  }
}
