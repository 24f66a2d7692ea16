package dev.topo.probe.foreign;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of {@code nvidia-smi topo -m}: how every two GPUs and NICs are connected.
 *
 * @param names GPUs, then NICs, in the order of the columns
 * @param cells type of connection by row and column: {@code NV18}, {@code PIX}
 * @param ports device of a NIC by its name in the table: {@code NIC0} is {@code mlx5_0}
 * @param cpus CPUs of each GPU: {@code 0-63}; empty if the table has none
 * @param numaNodes NUMA node of each GPU; empty if the table has none
 */
record SmiMatrix(
    List<String> names,
    Map<String, Map<String, String>> cells,
    Map<String, String> ports,
    Map<String, String> cpus,
    Map<String, String> numaNodes) {
  private static final Pattern NAME =
      Pattern.compile("GPU[0-9]{1,3}|NIC[0-9]{1,3}|mlx[45]_\\w{1,12}");
  private static final Pattern CELL = Pattern.compile("X|NV[0-9]{1,2}|PIX|PXB|PHB|NODE|SYS");
  private static final Pattern LEGEND = Pattern.compile("\\s*(NIC[0-9]{1,3}):\\s*(\\S+)\\s*");
  private static final Pattern LIST =
      Pattern.compile("[0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*");

  /** What nvidia-smi underlines its heading with. */
  private static final String UNDERLINE = "\u001b\\[[0-9;]*m";

  static boolean isMatrix(String text) {
    return text.replaceAll(UNDERLINE, "").lines().anyMatch(line -> heading(line).contains("GPU0"));
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
   * @throws TopologyFormatException if a row does not fit
   */
  static SmiMatrix parse(String text, String file) {
    List<String> lines = text.replaceAll(UNDERLINE, "").lines().toList();
    int first = 0;
    while (!heading(lines.get(first)).contains("GPU0")) {
      first++;
    }
    List<String> names = heading(lines.get(first));
    Map<String, Map<String, String>> cells = new LinkedHashMap<>();
    Map<String, String> ports = new HashMap<>();
    Map<String, String> cpus = new HashMap<>();
    Map<String, String> numa = new HashMap<>();
    for (int i = first + 1; i < lines.size(); i++) {
      Matcher legend = LEGEND.matcher(lines.get(i));
      String[] words = lines.get(i).strip().split("\\s+");
      if (legend.matches()) {
        ports.put(legend.group(1), legend.group(2));
      } else if (names.contains(words[0])) {
        cells.put(words[0], row(names, words, new SourceLocation(file, i + 1, 1)));
        affinity(words, names.size(), cpus, numa);
      }
    }
    for (String name : names) {
      if (!cells.containsKey(name)) {
        throw new TopologyFormatException(
            SourceLocation.of(file), "has no row " + name + ", expected one for each column");
      }
      if (name.startsWith("mlx")) {
        ports.put(name, name); // drivers before 510 print the devices themselves
      }
    }
    return new SmiMatrix(names, cells, ports, cpus, numa);
  }

  private static Map<String, String> row(List<String> names, String[] words, SourceLocation at) {
    Map<String, String> row = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      String cell = i + 1 < words.length ? words[i + 1] : "";
      if (!CELL.matcher(cell).matches()) {
        throw new TopologyFormatException(
            at,
            "row %s, column %s: '%s', expected X, NV#, PIX, PXB, PHB, NODE or SYS"
                .formatted(words[0], names.get(i), cell));
      }
      row.put(names.get(i), cell);
    }
    return row;
  }

  /** The columns behind the table: CPU affinity, NUMA affinity, NUMA node of the GPU's memory. */
  private static void affinity(
      String[] words, int columns, Map<String, String> cpus, Map<String, String> numa) {
    List<String> rest = new ArrayList<>(Arrays.asList(words).subList(columns + 1, words.length));
    if (!rest.isEmpty() && LIST.matcher(rest.get(0)).matches()) {
      cpus.put(words[0], rest.get(0));
    }
    if (rest.size() > 1 && LIST.matcher(rest.get(1)).matches()) {
      numa.put(words[0], rest.get(1).replaceFirst("[-,].*", ""));
    }
  }

  String cell(String from, String to) {
    return cells.getOrDefault(from, Map.of()).getOrDefault(to, "");
  }

  boolean isGpu(String name) {
    return name.startsWith("GPU");
  }
}
