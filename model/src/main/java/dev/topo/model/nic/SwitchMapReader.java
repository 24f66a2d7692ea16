package dev.topo.model.nic;

import dev.topo.model.Last;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.nic.SwitchMap.Port;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a file that states the switch of each node or port: Slurm's {@code topology.conf} ({@code
 * SwitchName=s0 Nodes=n[0-15]}), or a table {@code node,nic,switch} with a line for each port. A
 * table's switch may name its parent, {@code leaf3/core}. The bandwidth from a switch to the one
 * above, in Gb/s, is an additional field in Slurm's file, {@code UplinkGbps=3200}, and follows the
 * name in a table: {@code leaf3@3200/core}. {@code 8x400} means eight links, of which each flow
 * uses one. Slurm's {@code LinkSpeed} has no unit and is ignored.
 */
public final class SwitchMapReader {
  private static final Pattern WORD = Pattern.compile("\\S+");
  private static final Pattern DIGITS = Pattern.compile("\\d{1,4}");

  private static final String LOOP = "switches without a loop; it is above itself";

  private final String file;
  private final List<String> lines;
  private final Map<String, Map<String, Port>> ports = new LinkedHashMap<>();
  private final Map<String, Above> above = new LinkedHashMap<>();
  private final Map<String, Uplink> uplinks = new LinkedHashMap<>();

  /** The parent of a switch and its location in the file. */
  private record Above(String parent, SourceLocation place) {}

  /** The links to the switch above and their location in the file. */
  private record Uplink(SwitchMap.Uplink links, String text, SourceLocation place) {}

  private SwitchMapReader(String file, List<String> lines) {
    this.file = file;
    this.lines = lines;
  }

  /**
   * Reads a file; a line that begins with {@code SwitchName} marks Slurm's format.
   *
   * @throws TopologyFormatException if it cannot be used
   */
  public static SwitchMap read(Path file, Inputs inputs) {
    String text = inputs.text(file, "topology.conf or node,nic,switch");
    return parse(file.toString(), text.lines().toList());
  }

  /**
   * Reads the lines of a file.
   *
   * @param file its name in messages
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
    if (reader.ports.isEmpty()) {
      throw new TopologyFormatException(file, "names no node, expected at least one");
    }
    reader.rejectLoops();
    Map<String, String> parents = new LinkedHashMap<>();
    reader.above.forEach((below, up) -> parents.put(below, up.parent));
    Map<String, SwitchMap.Uplink> uplinks = new LinkedHashMap<>();
    reader.uplinks.forEach(
        (below, up) -> {
          if (!parents.containsKey(below)) {
            throw error(up.place, below, "a switch above it, as it has an uplink");
          }
          uplinks.put(below, up.links);
        });
    return new SwitchMap(new ArrayList<>(reader.ports.keySet()), reader.ports, parents, uplinks);
  }

  /**
   * A word {@code NAME=VALUE} of a switch.
   *
   * @param place where it begins
   */
  private record Field(String text, SourceLocation place) {
    private int equals() {
      return text.indexOf('=');
    }

    String name() {
      return text.substring(0, equals()).toLowerCase(Locale.ROOT);
    }

    String value() {
      return text.substring(equals() + 1);
    }

    SourceLocation placeOfValue() {
      return new SourceLocation(place.file(), place.line(), place.column() + equals() + 1);
    }
  }

  private void readSlurm() {
    Map<String, SourceLocation> switches = new LinkedHashMap<>();
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").stripTrailing();
      boolean isContinued = line.endsWith("\\");
      Matcher word = WORD.matcher(isContinued ? line.substring(0, line.length() - 1) : line);
      while (word.find()) {
        SourceLocation place = new SourceLocation(file, i + 1, word.start() + 1);
        if (word.group().indexOf('=') <= 0) {
          throw error(place, word.group(), "NAME=VALUE, as in SwitchName=s0 Nodes=n[0-15]");
        }
        fields.add(new Field(word.group(), place));
      }
      if (!isContinued && !fields.isEmpty()) {
        readSwitch(fields, switches);
        fields.clear();
      }
    }
    above.forEach(
        (below, up) -> {
          if (!switches.containsKey(below)) {
            throw error(up.place, below, "a switch of the file, with a SwitchName of its own");
          }
        });
  }

  private void readSwitch(List<Field> fields, Map<String, SourceLocation> switches) {
    Field first = fields.get(0);
    Field named =
        fields.stream()
            .filter(field -> field.name().equals("switchname"))
            .findFirst()
            .orElseThrow(() -> error(first.place, first.text, "SwitchName=..."));
    String name = named.value();
    SourceLocation other = switches.put(name, named.place);
    if (other != null) {
      throw error(
          named.placeOfValue(), name, "a name of its own; line " + other.line() + " has it too");
    }
    for (Field field : fields) {
      switch (field.name()) {
        case "nodes" ->
            hosts(field).forEach(node -> put(node, SwitchMap.ANY_PORT, name, field.placeOfValue()));
        case "switches" -> hosts(field).forEach(below -> put(below, name, field.placeOfValue()));
        case "uplinkgbps" -> uplink(name, field.value(), field.placeOfValue());
        default -> {}
      }
    }
  }

  private static List<String> hosts(Field field) {
    try {
      return HostList.expand(field.value());
    } catch (IllegalArgumentException e) {
      throw error(field.placeOfValue(), field.value(), "a list such as n[0-15,20]");
    }
  }

  private void readTable() {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      boolean header = line.replace(" ", "").equalsIgnoreCase("node,nic,switch");
      if (line.isEmpty() || line.startsWith("#") || header) {
        continue;
      }
      SourceLocation place = new SourceLocation(file, i + 1, lines.get(i).indexOf(line) + 1);
      List<String> cells = Arrays.stream(line.split(",", -1)).map(String::strip).toList();
      List<String> up = List.of(Last.of(cells).split("/", -1));
      if (cells.size() != 3 || cells.contains("") || up.contains("")) {
        throw error(place, line, "node,nic,switch");
      }
      int nic = line.indexOf(',') + 1;
      SourceLocation placeOfSwitch = after(place, line, line.indexOf(',', nic) + 1);
      List<String> names = up.stream().map(uplink -> name(uplink, placeOfSwitch)).toList();
      put(cells.get(0), cells.get(1), names.get(0), after(place, line, nic));
      for (int s = 1; s < names.size(); s++) {
        put(names.get(s - 1), names.get(s), placeOfSwitch);
      }
    }
  }

  /** Parses a switch of a table: records its uplink, if any, and returns its name. */
  private String name(String text, SourceLocation place) {
    int at = text.lastIndexOf('@');
    if (at < 0) {
      return text;
    }
    String name = text.substring(0, at);
    uplink(name, text.substring(at + 1), place);
    return name;
  }

  private void uplink(String name, String value, SourceLocation place) {
    int times = value.indexOf('x');
    String count = times < 0 ? "1" : value.substring(0, times);
    int links = DIGITS.matcher(count).matches() ? Integer.parseInt(count) : -1;
    double gbps = links * number(links < 0 ? value : value.substring(times + 1), value, place);
    if (!(gbps > 0 && gbps < Double.POSITIVE_INFINITY) || links > SwitchMap.Uplink.MOST_LINKS) {
      throw error(
          place,
          value,
          "a bandwidth above 0 Gb/s, as in 3200, or of 1 to %s links, as in 8x400"
              .formatted(SwitchMap.Uplink.MOST_LINKS));
    }
    Uplink uplink = new Uplink(new SwitchMap.Uplink(gbps, links), value, place);
    Uplink other = uplinks.put(name, uplink);
    if (other != null && !other.links.equals(uplink.links)) {
      throw error(
          place,
          value,
          "one bandwidth for each switch; line %s has %s for %s"
              .formatted(other.place.line(), other.text, name));
    }
  }

  private static double number(String digits, String value, SourceLocation place) {
    try {
      return Double.parseDouble(digits);
    } catch (NumberFormatException e) {
      throw error(
          place, value, "the bandwidth of the links to the switch above in Gb/s, 3200 or 8x400");
    }
  }

  /** Location of a cell, after its leading blanks. */
  private static SourceLocation after(SourceLocation line, String text, int comma) {
    int column = comma;
    while (Character.isWhitespace(text.charAt(column))) {
      column++;
    }
    return new SourceLocation(line.file(), line.line(), line.column() + column);
  }

  private void put(String node, String port, String leaf, SourceLocation place) {
    Port other =
        ports.computeIfAbsent(node, name -> new LinkedHashMap<>()).put(port, new Port(leaf, place));
    if (other != null && !other.leaf().equals(leaf)) {
      throw error(place, node, "one switch for each port; it is at " + other.leaf() + " already");
    }
  }

  private void put(String below, String parent, SourceLocation place) {
    Above other = above.put(below, new Above(parent, place));
    if (other != null && !other.parent.equals(parent)) {
      throw error(
          place,
          below,
          "one switch above each; it is below "
              + other.parent
              + " already (line "
              + other.place.line()
              + ")");
    }
  }

  /** Rejects a switch that is above itself. */
  private void rejectLoops() {
    SwitchLoop.find(above.keySet(), name -> Optional.ofNullable(above.get(name)).map(Above::parent))
        .flatMap(
            name -> Optional.ofNullable(above.get(name)).map(up -> error(up.place, name, LOOP)))
        .ifPresent(
            loop -> {
              throw loop;
            });
  }

  private static TopologyFormatException error(
      SourceLocation place, String value, String expected) {
    return new TopologyFormatException(place, "'" + value + "', expected " + expected);
  }
}
