package dev.topo.hw.foreign;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the table of {@code nvidia-smi topo -m}. Every column has one row, X marks the diagonal,
 * and both directions of a connection are equal: a table with lost or moved cells is rejected. Used
 * once.
 */
final class SmiMatrixReader {
  private static final Pattern NAME =
      Pattern.compile("GPU[0-9]{1,3}|NIC[0-9]{1,3}|mlx[45]_\\w{1,12}");
  private static final Pattern CELL = Pattern.compile("X|NV[1-9][0-9]?|PIX|PXB|PHB|NODE|SYS");
  private static final String CELLS = "X, NV#, PIX, PXB, PHB, NODE or SYS";
  private static final String CELLS_OF_NIC = "PIX, PXB, PHB, NODE or SYS at a network card";
  private static final Pattern LEGEND = Pattern.compile("\\s*(NIC[0-9]{1,3}):\\s*(\\S+)\\s*");
  private static final Pattern NUMBERS = Pattern.compile("[0-9][0-9,-]*");

  /** Escape sequences with which nvidia-smi underlines its heading. */
  private static final String UNDERLINE = "\u001b\\[[0-9;]*m";

  /**
   * Maximum number of columns: above NCCL's limit ({@code MAX_NODES}), and each gets a bus number.
   */
  private static final int MAX_COLUMNS = 255;

  private final String file;
  private final List<String> names;
  private final int numaColumn;
  private final Map<String, SourceLocation> rows = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> cells = new LinkedHashMap<>();
  private final Map<String, String> ports = new HashMap<>();
  private final Set<String> devices = new HashSet<>();
  private final Map<String, String> cpus = new HashMap<>();
  private final Map<String, String> numa = new HashMap<>();

  private SmiMatrixReader(String file, List<String> names, int numaColumn) {
    this.file = file;
    this.names = names;
    this.numaColumn = numaColumn;
  }

  static boolean isMatrix(String text) {
    return plain(text).lines().anyMatch(SmiMatrixReader::isHeading);
  }

  /** Text without separators and underlining of a terminal or a Markdown table. */
  private static String plain(String text) {
    return text.replaceAll(UNDERLINE, "").replace('|', ' ');
  }

  private static boolean isHeading(String line) {
    return heading(line).contains("GPU0");
  }

  private static List<String> heading(String line) {
    return Arrays.stream(line.strip().split("\\s+"))
        .takeWhile(word -> NAME.matcher(word).matches())
        .toList();
  }

  /**
   * Reads the table.
   *
   * @param file its name, for messages
   * @throws TopologyFormatException if the table is incomplete
   */
  static SmiMatrix read(String text, String file) {
    List<String> lines = plain(text).lines().toList();
    int first = 0;
    while (!isHeading(lines.get(first))) {
      first++;
    }
    List<String> names = heading(lines.get(first));
    requireColumns(names, new SourceLocation(file, first + 1, 1));
    int numaColumn = lines.get(first).matches(".*[0-9]\\s+NUMA Affinity.*") ? 0 : 1;
    SmiMatrixReader reader = new SmiMatrixReader(file, names, numaColumn);
    for (int i = first + 1; i < lines.size(); i++) {
      reader.line(lines.get(i), new SourceLocation(file, i + 1, 1));
    }
    return reader.matrix();
  }

  /** Checks that GPUs come first, in the order of their numbers. */
  private static void requireColumns(List<String> names, SourceLocation at) {
    if (names.size() > MAX_COLUMNS) {
      throw new TopologyFormatException(
          at, "%s columns, expected at most %s".formatted(names.size(), MAX_COLUMNS));
    }
    Set<String> found = new HashSet<>();
    boolean isGpu = true;
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      isGpu = isGpu && SmiMatrix.isGpu(name);
      boolean isInOrder = isGpu == SmiMatrix.isGpu(name) && (!isGpu || name.equals("GPU" + i));
      if (!isInOrder || !found.add(name)) {
        throw new TopologyFormatException(
            at,
            "column %s is %s, expected GPU0, GPU1 and so on, then the network cards, each once"
                .formatted(i + 1, name));
      }
    }
  }

  private void line(String line, SourceLocation at) {
    Matcher legend = LEGEND.matcher(line);
    String[] words = line.strip().split("\\s+");
    if (legend.matches()) {
      port(legend.group(1), legend.group(2), at);
    } else if (NAME.matcher(words[0]).matches()) {
      row(words, at);
    }
  }

  private void port(String name, String device, SourceLocation at) {
    boolean isNew = names.contains(name) && !ports.containsKey(name) && devices.add(device);
    if (!isNew || !ForeignDevice.isPortName(device)) {
      throw new TopologyFormatException(
          at,
          "%s: %s, expected each network card of the table once, with a device of its own as mlx5_0"
              .formatted(name, device));
    }
    ports.put(name, device);
  }

  private void row(String[] words, SourceLocation at) {
    String name = words[0];
    int number = rows.size();
    if (number >= names.size() || !names.get(number).equals(name)) {
      throw new TopologyFormatException(
          at,
          "row %s, expected %s: one row for each column, in their order"
              .formatted(name, number < names.size() ? names.get(number) : "no more rows"));
    }
    rows.put(name, at);
    Map<String, String> row = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      String cell = i + 1 < words.length ? words[i + 1] : "";
      cell = cell.equals("SOC") ? "SYS" : cell; // drivers before 390
      requireCell(name, names.get(i), cell, at);
      row.put(names.get(i), cell);
    }
    cells.put(name, row);
    affinity(words, at);
  }

  private void requireCell(String row, String column, String cell, SourceLocation at) {
    String back = cells.getOrDefault(column, Map.of()).getOrDefault(row, "");
    String expected = "";
    boolean isAccess = SmiMatrix.ACCESS.contains(cell);
    if (!isAccess && !CELL.matcher(cell).matches()) {
      expected = CELLS;
    } else if (column.equals(row) != cell.equals("X")) {
      expected = column.equals(row) ? "X" : "X in column " + row + " only";
    } else if (!isAccess && !back.isEmpty() && !back.equals(cell)) {
      expected = back + " as in row " + column + ", column " + row;
    } else if (cell.startsWith("NV") && !(SmiMatrix.isGpu(row) && SmiMatrix.isGpu(column))) {
      expected = CELLS_OF_NIC;
    }
    if (!expected.isEmpty()) {
      throw new TopologyFormatException(
          at, "row %s, column %s: '%s', expected %s".formatted(row, column, cell, expected));
    }
  }

  /**
   * Reads the columns after the table: CPU affinity, NUMA affinity, NUMA node of the GPU's memory.
   */
  private void affinity(String[] words, SourceLocation at) {
    List<String> rest = Arrays.asList(words).subList(names.size() + 1, words.length);
    if (!rest.isEmpty() && CELL.matcher(rest.get(0)).matches()) {
      throw new TopologyFormatException(
          at,
          "row %s: %s behind the last column, expected %s cells"
              .formatted(words[0], rest.get(0), names.size()));
    }
    if (numaColumn > 0 && !rest.isEmpty() && NUMBERS.matcher(rest.get(0)).matches()) {
      cpus.put(words[0], CpuLists.mask(rest.get(0), at));
    }
    if (rest.size() > numaColumn && NUMBERS.matcher(rest.get(numaColumn)).matches()) {
      numa.put(words[0], String.valueOf(CpuLists.first(rest.get(numaColumn), at)));
    }
  }

  private SmiMatrix matrix() {
    for (String name : names) {
      if (!rows.containsKey(name)) {
        throw new TopologyFormatException(
            file, "has no row " + name + ", expected one for each column");
      }
      if (name.startsWith("mlx")) {
        ports.put(name, name); // drivers before 510 print the devices themselves
      }
    }
    return new SmiMatrix(names, rows, cells, ports, cpus, numa);
  }
}
