package dev.topo.inspect.measured;

import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.measured.CsvTable.Row;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads measurements from CSV with a heading, in any order of columns: {@code collective}
 * (nccl-tests' names), {@code bytes}, and {@code time_us} or {@code busbw_gbps}. Further columns,
 * if there are: {@code gpus} or {@code ranks}, {@code nodes}, {@code time_inplace_us}, {@code
 * forced_algorithm} and {@code forced_protocol} or {@code algorithm} and {@code protocol} (empty
 * for NCCL's choice), and {@code channels} if they were forced. Other columns, blank lines, lines
 * that begin with #, and sizes of 0 are skipped.
 */
public final class MeasurementReader {
  private static final String COLLECTIVE = "collective";
  private static final List<String> BYTES = List.of("bytes", "size");
  private static final List<String> TIME = List.of("time_us", "time");
  private static final List<String> BUSBW = List.of("busbw_gbps", "busbw");
  private static final List<String> GPUS = List.of("gpus", "ranks");
  private static final List<String> ALGORITHM = List.of("forced_algorithm", "algorithm");
  private static final List<String> PROTOCOL = List.of("forced_protocol", "protocol");
  private static final String TIME_IN_PLACE = "time_inplace_us";
  private static final String NODES = "nodes";

  /** Wrong lines that a message names. */
  private static final int MOST_FAULTS = 5;

  private final CsvTable table;
  private final RunHints hints;
  private final List<TopologyFormatException> faults = new ArrayList<>();

  private MeasurementReader(CsvTable table, RunHints hints) {
    this.table = table;
    this.hints = hints;
  }

  /** Measurements in a text that states the number of GPUs. */
  public static MeasuredRun read(String text, String file) {
    return read(text, file, RunHints.NOTHING);
  }

  /**
   * Measurements in a text, in order.
   *
   * @param file name of the file for messages
   * @param hints facts that apply where the text does not state them
   * @throws TopologyFormatException if columns are missing, or lines are wrong: it names them all
   */
  public static MeasuredRun read(String text, String file, RunHints hints) {
    return new MeasurementReader(new CsvTable(text, file), hints).run(text, file);
  }

  private MeasuredRun run(String text, String file) {
    checkHeading(file);
    List<Measurement> measurements = new ArrayList<>();
    List<PeerMeasurement> peers = new ArrayList<>();
    Set<Integer> nodes = new TreeSet<>();
    for (Row row : table.rows()) {
      try {
        add(row, measurements, peers, nodes);
      } catch (TopologyFormatException e) {
        faults.add(e);
      } catch (IllegalArgumentException e) {
        faults.add(table.wrong(row, 0, String.valueOf(e.getMessage())));
      }
    }
    if (!faults.isEmpty()) {
      throw allFaults();
    }
    if (nodes.size() > 1) {
      throw new TopologyFormatException(
          file, "has times of %s nodes: expected a file for each number".formatted(nodes));
    }
    return new MeasuredRun(
        file,
        RunOrigin.of(text),
        nodes.stream().mapToInt(Integer::intValue).findFirst(),
        OptionalInt.empty(),
        NcclSettings.DEFAULTS,
        List.of(),
        measurements,
        List.of(),
        table.rows().size() - measurements.size(),
        List.of(),
        peers,
        List.of());
  }

  /** Refuses a table without the columns that no option can replace. */
  private void checkHeading(String file) {
    List<String> missing = new ArrayList<>();
    if (!table.has(COLLECTIVE)) {
      missing.add("collective (as all_reduce)");
    }
    if (table.column(BYTES).isEmpty()) {
      missing.add("bytes (the column size of nccl-tests)");
    }
    if (table.column(TIME).isEmpty() && table.column(BUSBW).isEmpty()) {
      missing.add("time_us or busbw_gbps");
    }
    if (table.column(GPUS).isEmpty() && hints.nGpus().isEmpty()) {
      missing.add("gpus (the number of ranks)");
    }
    if (!missing.isEmpty()) {
      throw new TopologyFormatException(
          new SourceLocation(file, 1, 1),
          "the heading has no column " + String.join(", and none ", missing));
    }
  }

  /** The first wrong line, with the numbers and faults of others. */
  private TopologyFormatException allFaults() {
    TopologyFormatException first = faults.get(0);
    String others =
        faults.stream()
            .skip(1)
            .limit(MOST_FAULTS)
            .map(fault -> "; line %s: %s".formatted(fault.location().line(), fault.reason()))
            .collect(Collectors.joining());
    int more = faults.size() - 1 - MOST_FAULTS;
    return new TopologyFormatException(
        first.location(),
        first.reason() + others + (more > 0 ? "; and %s more lines".formatted(more) : ""));
  }

  private void add(
      Row row, List<Measurement> measurements, List<PeerMeasurement> peers, Set<Integer> nodes) {
    table.checkWidth(row);
    long bytes = integer(row, table.column(BYTES).orElseThrow(), 0, Long.MAX_VALUE);
    String name = table.cell(row, COLLECTIVE);
    if (bytes == 0) {
      return;
    }
    if (!table.cellIfAny(row, NODES).isEmpty()) {
      nodes.add((int) integer(row, NODES, 1, Integer.MAX_VALUE));
    }
    int gpus =
        table
            .column(GPUS)
            .map(column -> (int) integer(row, column, 1, Integer.MAX_VALUE))
            .orElseGet(() -> hints.nGpus().getAsInt());
    Operation operation =
        TestedCollective.of(name)
            .map(Operation.class::cast)
            .or(() -> TestedCollective.peer(name))
            .orElseThrow(
                () ->
                    table.wrong(
                        row,
                        COLLECTIVE,
                        "collective \"%s\" is not one of all_reduce, all_gather, reduce_scatter, broadcast, reduce, alltoall, sendrecv, gather, scatter"
                            .formatted(name)));
    double timeUs = timeUs(row, operation, bytes, gpus);
    double inPlaceUs = table.has(TIME_IN_PLACE) ? table.number(row, TIME_IN_PLACE) : timeUs;
    if (operation instanceof Collective collective) {
      measurements.add(
          new Measurement(gpus, collective, forced(row), channels(row), bytes, timeUs, inPlaceUs));
    } else {
      peers.add(new PeerMeasurement(gpus, (PeerOperation) operation, bytes, timeUs, inPlaceUs));
    }
  }

  private double timeUs(Row row, Operation operation, long bytes, int gpus) {
    Optional<String> time = table.column(TIME);
    if (time.isPresent()) {
      return table.number(row, time.get());
    }
    String column = table.column(BUSBW).orElseThrow();
    double busbw = table.number(row, column);
    if (!(busbw > 0)) {
      throw table.wrong(row, column, column + " \"" + busbw + "\": expected above 0");
    }
    return operation.busbwGBps(bytes, 1, gpus) / busbw;
  }

  private Optional<Pair> forced(Row row) {
    String algorithm = cellIfAny(row, ALGORITHM);
    String protocol = cellIfAny(row, PROTOCOL);
    if (algorithm.isEmpty() && protocol.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Pair(
            Algorithm.ofLabel(algorithm).orElseThrow(() -> unknown(ALGORITHM, algorithm, row)),
            Protocol.ofLabel(protocol).orElseThrow(() -> unknown(PROTOCOL, protocol, row))));
  }

  private OptionalInt channels(Row row) {
    return table.cellIfAny(row, "channels").isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of((int) integer(row, "channels", 1, ChannelGraph.MAX_CHANNELS));
  }

  private String cellIfAny(Row row, List<String> columns) {
    return table.column(columns).map(column -> table.cellIfAny(row, column)).orElse("");
  }

  private TopologyFormatException unknown(List<String> columns, String value, Row row) {
    String name = table.column(columns).orElse(columns.get(0));
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
