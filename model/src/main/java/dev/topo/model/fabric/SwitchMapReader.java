package dev.topo.model.fabric;

import dev.topo.model.diagnostic.InputFile;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads the switch of each node: Slurm's {@code topology.conf} ({@code SwitchName=s0
 * Nodes=n[0-15]}), or a table {@code node,nic,switch} with a line for each port. A table's switch
 * may name its parent, {@code leaf3/core}.
 */
public final class SwitchMapReader {
  private final String file;
  private final List<String> lines;
  private final Map<String, Map<String, String>> leaves = new LinkedHashMap<>();
  private final Map<String, String> parents = new LinkedHashMap<>();

  private SwitchMapReader(String file, List<String> lines) {
    this.file = file;
    this.lines = lines;
  }

  /**
   * Reads a file; what it is shows in its first line.
   *
   * @throws TopologyFormatException if it cannot be used
   */
  public static SwitchMap read(Path file) {
    String text = InputFile.text(file, "topology.conf or node,nic,switch");
    return parse(file.toString(), text.lines().toList());
  }

  /**
   * Reads the lines of a file.
   *
   * @param file what to call it in messages
   * @throws TopologyFormatException as {@link #read}
   */
  public static SwitchMap parse(String file, List<String> lines) {
    SwitchMapReader reader = new SwitchMapReader(file, lines);
    boolean slurm =
        lines.stream()
            .anyMatch(line -> line.strip().toLowerCase(Locale.ROOT).startsWith("switchname"));
    if (slurm) {
      reader.readSlurm();
    } else {
      reader.readTable();
    }
    if (reader.leaves.isEmpty()) {
      throw new TopologyFormatException(
          SourceLocation.of(file), "names no node, expected at least one");
    }
    return new SwitchMap(new ArrayList<>(reader.leaves.keySet()), reader.leaves, reader.parents);
  }

  private void readSlurm() {
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      if (line.endsWith("\\")) {
        joined.append(line, 0, line.length() - 1).append(' ');
        continue;
      }
      joined.append(line);
      if (!joined.isEmpty()) {
        readSwitch(joined.toString(), i + 1);
      }
      joined.setLength(0);
    }
  }

  private void readSwitch(String line, int number) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String word : line.strip().split("\\s+", -1)) {
      int equals = word.indexOf('=');
      if (equals <= 0) {
        throw bad(number, word, "NAME=VALUE, as in SwitchName=s0 Nodes=n[0-15]");
      }
      fields.put(word.substring(0, equals).toLowerCase(Locale.ROOT), word.substring(equals + 1));
    }
    String name = fields.get("switchname");
    if (name == null) {
      throw bad(number, line, "SwitchName=...");
    }
    for (String node : hosts(fields.getOrDefault("nodes", ""), number)) {
      put(node, SwitchMap.ANY_PORT, name, number);
    }
    for (String below : hosts(fields.getOrDefault("switches", ""), number)) {
      parents.put(below, name);
    }
  }

  private List<String> hosts(String text, int number) {
    try {
      return HostList.expand(text);
    } catch (IllegalArgumentException e) {
      throw bad(number, text, "a list such as n[0-15,20]");
    }
  }

  private void readTable() {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      boolean header = line.replace(" ", "").equalsIgnoreCase("node,nic,switch");
      if (line.isEmpty() || line.startsWith("#") || header) {
        continue;
      }
      String[] cells = line.split(",", -1);
      if (cells.length != 3 || cells[0].isBlank() || cells[1].isBlank() || cells[2].isBlank()) {
        throw bad(i + 1, line, "node,nic,switch");
      }
      String[] up = cells[2].strip().split("/", -1);
      for (int s = 1; s < up.length; s++) {
        parents.put(up[s - 1], up[s]);
      }
      put(cells[0].strip(), cells[1].strip(), up[0], i + 1);
    }
  }

  private void put(String node, String port, String leaf, int number) {
    String other = leaves.computeIfAbsent(node, name -> new LinkedHashMap<>()).put(port, leaf);
    if (other != null && !other.equals(leaf)) {
      throw bad(number, node, "one switch for each port; it is at " + other + " already");
    }
  }

  private TopologyFormatException bad(int line, String value, String expected) {
    return new TopologyFormatException(
        new SourceLocation(file, line, 1), "'" + value + "', expected " + expected);
  }
}
