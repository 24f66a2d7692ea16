package dev.topo.simulator.calibration;

import dev.topo.model.collective.Algorithm;
import dev.topo.model.collective.Collective;
import dev.topo.model.collective.Protocol;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.simulator.calibration.Measurement.Pair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads measurements from CSV with a heading: {@code gpus, collective} (nccl-tests' names), {@code
 * forced_algorithm, forced_protocol} (empty for NCCL's choice), {@code bytes, time_us,
 * time_inplace_us}, in any order, and, if channels were forced, {@code channels}; further columns
 * are passed over.
 */
public final class MeasurementReader {
  /** What nccl-tests makes of sends and receives: NCCL has no choice of algorithm there. */
  private static final Set<String> PEER_TO_PEER =
      Set.of("sendrecv", "alltoall", "gather", "scatter", "hypercube");

  private final String file;
  private final List<String> heading;

  private MeasurementReader(String file, List<String> heading) {
    this.file = file;
    this.heading = heading;
  }

  /**
   * The measurements in a file, in its order.
   *
   * @throws TopologyFormatException if a line is not what the heading says
   */
  public static List<Measurement> read(Path file) throws IOException {
    return read(Files.readString(file), file.toString());
  }

  /**
   * The measurements in a text, in its order.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if a line is not what the heading says
   */
  public static List<Measurement> read(String text, String file) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty()) {
      throw new TopologyFormatException(
          SourceLocation.of(file), "the file is empty: expected a heading");
    }
    MeasurementReader reader = new MeasurementReader(file, cells(lines.get(0)));
    List<Measurement> measurements = new ArrayList<>();
    for (int line = 1; line < lines.size(); line++) {
      List<String> cells = cells(lines.get(line));
      if (!lines.get(line).isBlank() && !reader.isPeerToPeer(cells)) {
        measurements.add(reader.measurement(cells, line + 1));
      }
    }
    return measurements;
  }

  private boolean isPeerToPeer(List<String> cells) {
    int column = heading.indexOf("collective");
    return column >= 0 && column < cells.size() && PEER_TO_PEER.contains(cells.get(column));
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
  }

  private Measurement measurement(List<String> cells, int line) {
    if (cells.size() != heading.size()) {
      throw wrong(line, 1, cells.size() + " columns, the heading has " + heading.size());
    }
    try {
      return new Measurement(
          (int) number(cells, "gpus", line),
          collective(cells, line),
          forced(cells, line),
          channels(cells, line),
          (long) number(cells, "bytes", line),
          number(cells, "time_us", line),
          number(cells, "time_inplace_us", line));
    } catch (IllegalArgumentException e) {
      throw wrong(line, 1, String.valueOf(e.getMessage()));
    }
  }

  private Collective collective(List<String> cells, int line) {
    String name = cell(cells, "collective", line);
    return Collective.ofLabel(name.replace("_", ""))
        .orElseThrow(
            () ->
                wrong(
                    line,
                    column("collective", line) + 1,
                    "collective \""
                        + name
                        + "\" is not one of all_reduce, all_gather,"
                        + " reduce_scatter, broadcast, reduce"));
  }

  private Optional<Pair> forced(List<String> cells, int line) {
    String algorithm = cell(cells, "forced_algorithm", line);
    String protocol = cell(cells, "forced_protocol", line);
    if (algorithm.isEmpty() && protocol.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Pair(
            Algorithm.ofLabel(algorithm)
                .orElseThrow(() -> unknown("forced_algorithm", algorithm, line)),
            Protocol.ofLabel(protocol)
                .orElseThrow(() -> unknown("forced_protocol", protocol, line))));
  }

  private OptionalInt channels(List<String> cells, int line) {
    if (!heading.contains("channels") || cell(cells, "channels", line).isEmpty()) {
      return OptionalInt.empty();
    }
    return OptionalInt.of((int) number(cells, "channels", line));
  }

  private TopologyFormatException unknown(String name, String value, int line) {
    return wrong(
        line,
        column(name, line) + 1,
        name + " \"" + value + "\" is not known; both pair columns must be filled, or none");
  }

  private double number(List<String> cells, String name, int line) {
    String text = cell(cells, name, line);
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw wrong(line, column(name, line) + 1, name + " \"" + text + "\" is not a number");
  }

  private String cell(List<String> cells, String name, int line) {
    return cells.get(column(name, line));
  }

  private int column(String name, int line) {
    int column = heading.indexOf(name);
    if (column < 0) {
      throw wrong(
          Math.min(line, 1), 1, String.format(Locale.ROOT, "the heading has no column %s", name));
    }
    return column;
  }

  private TopologyFormatException wrong(int line, int column, String what) {
    return new TopologyFormatException(new SourceLocation(file, line, column), what);
  }
}
