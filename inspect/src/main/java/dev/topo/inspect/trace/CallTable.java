package dev.topo.inspect.trace;

import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.RankList;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call.CallSizes.ByteSize;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;

/**
 * Reads a table of calls, {@code group,operation,bytes,datatype,count}: the group is a list of
 * ranks such as {@code 0-7} or {@code 0;8}, operation and size are those of nccl-tests, and the
 * count is the number of calls in a step. Lines that begin with # are comments.
 */
final class CallTable {
  private static final String HEADING = "group,operation,bytes,datatype,count";
  private static final long MAX_VALUE = TraceLimits.MAX_BYTES;
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setIgnoreSurroundingSpaces(true).get();

  /** Other accepted formats, named in the errors about the heading. */
  private static final String OTHER_FORMATS =
      " of a table, or a trace of PyTorch's profiler, NCCL Inspector, Flight Recorder or Chakra";

  private static final int MAX_SHOWN = 40;

  private final String file;
  private final Map<String, ProcessGroup> groups = new HashMap<>();
  private final KeptMemory kept = new KeptMemory(what -> wrongCell(0, what));
  private int line;
  private String[] cells = {};
  private int worldSize;

  private CallTable(String file) {
    this.file = file;
  }

  static RankTrace read(String text, String file) {
    return new CallTable(file).trace(text.lines().iterator());
  }

  /** Start of a row for error messages: a line of a file in another format may be very long. */
  private static String abbreviated(String row) {
    return row.length() > MAX_SHOWN ? row.substring(0, MAX_SHOWN) + "…" : row;
  }

  private RankTrace trace(Iterator<String> lines) {
    RankTrace.Builder trace = new RankTrace.Builder(file, Times.NONE);
    boolean hasHeading = false;
    while (lines.hasNext()) {
      String row = lines.next();
      line++;
      if (row.isBlank() || row.startsWith("#")) {
        continue;
      }
      if (!hasHeading) {
        if (!row.replace(" ", "").equals(HEADING)) {
          throw wrong(
              1, "\"" + abbreviated(row) + "\": expected the heading " + HEADING + OTHER_FORMATS);
        }
        hasHeading = true;
        continue;
      }
      cells = cells(row);
      if (cells.length != HEADING.split(",").length) {
        throw wrong(1, cells.length + " columns, expected " + HEADING);
      }
      int kind = trace.number(kind(), kept::reserve);
      trace.add(kind, number(4, "count"));
    }
    if (!hasHeading) {
      throw wrong(1, "the file is empty: expected the heading " + HEADING + OTHER_FORMATS);
    }
    return trace.worldSize(worldSize).build();
  }

  /** Returns the communicator of a row; rows with the same list of ranks share one object. */
  private ProcessGroup group() {
    String name = cells[0].strip();
    ProcessGroup known = groups.get(name);
    if (known == null) {
      known = new ProcessGroup(name, "", ranks());
      groups.put(name, known);
      worldSize = Math.max(worldSize, 1 + Collections.max(known.ranks()));
      kept.reserve((long) KeptMemory.RANK_BYTES * known.size());
    }
    return known;
  }

  private String[] cells(String row) {
    try (CSVParser parser = CSVParser.parse(row, FORMAT)) {
      return parser.iterator().next().values();
    } catch (IOException | UncheckedIOException e) {
      throw wrong(1, "is not CSV: a quote is not closed");
    }
  }

  private CallKind kind() {
    Optional<Operation> operation = Operation.ofName(cells[1].strip());
    if (operation.isEmpty()) {
      throw wrongCell(1, "expected an operation such as all_reduce");
    }
    Optional<DataType> type = CallNames.dataType(cells[3].strip());
    if (type.isEmpty()) {
      throw wrongCell(3, "expected an element type such as bfloat16");
    }
    return CallKind.of(group(), operation.get().ncclTestsName(), operation, bytes(), type.get());
  }

  private List<Integer> ranks() {
    try {
      return RankList.parse(cells[0].strip().replace(';', ',')).ranks();
    } catch (IllegalArgumentException e) {
      throw wrongCell(0, String.valueOf(e.getMessage()));
    }
  }

  private long bytes() {
    try {
      long bytes = ByteSize.parse(cells[2].strip());
      if (bytes >= 0 && bytes <= MAX_VALUE) {
        return bytes;
      }
    } catch (SettingException e) {
      // Reported below.
    }
    throw wrongCell(2, "expected a size such as 16M");
  }

  private long number(int column, String what) {
    try {
      long number = Long.parseLong(cells[column].strip());
      if (number >= 1 && number <= MAX_VALUE) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw wrongCell(column, "expected a " + what + " of 1 or more");
  }

  private TopologyFormatException wrongCell(int column, String what) {
    int before = Arrays.stream(cells).limit(column).mapToInt(cell -> cell.length() + 1).sum();
    return wrong(before + 1, "\"" + cells[column] + "\": " + what);
  }

  private TopologyFormatException wrong(int column, String what) {
    return new TopologyFormatException(new SourceLocation(file, Math.max(1, line), column), what);
  }
}
