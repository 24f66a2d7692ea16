package dev.topo.model.nic;

import dev.topo.model.Last;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.nic.SwitchMap.Port;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a file that states the switch of each node or port: Slurm's {@code topology.conf} ({@code
 * SwitchName=s0 Nodes=n[0-15]} or {@code BlockName=b0 Nodes=n[0-17]}) and what {@code scontrol show
 * topology} prints of it, or a table {@code node,nic,switch} with a line for each port. A table's
 * switch may name its parent, {@code leaf3/core}. The bandwidth from a switch to the one above, in
 * Gb/s, is an additional field in Slurm's file, {@code UplinkGbps=3200}, and follows the name in a
 * table: {@code leaf3@3200/core}. {@code 8x400} means eight links, of which each flow uses one.
 * Slurm's {@code LinkSpeed} has no unit and is ignored.
 *
 * <p>A block of Slurm is a switch here. {@code BlockSizes} are what jobs are planned in and no
 * switches (man topology.conf): what is between blocks is not known, and one switch is assumed.
 */
public final class SwitchMapReader {
  private static final Pattern WORD = Pattern.compile("\\S+");
  private static final Pattern SLURM =
      Pattern.compile(
          "\\s*(switchname|block(name|sizes|levels)|aggregatedblock)", Pattern.CASE_INSENSITIVE);

  /** Slurm's sizes of jobs, and the blocks that it plans them in. */
  private static final Set<String> OF_PLANNING =
      Set.of("blocksizes", "blocklevels", "aggregatedblock");

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
   * Reads the lines of a file.
   *
   * @param file its name in messages
   * @throws TopologyFormatException as {@code read}
   */
  public static SwitchMap parse(String file, List<String> lines) {
    SwitchMapReader reader = new SwitchMapReader(file, lines);
    if (lines.stream().anyMatch(line -> SLURM.matcher(line).lookingAt())) {
      reader.readSlurm();
    } else {
      reader.readTable();
    }
    return reader.map();
  }

  /**
   * Builds the map of statements such as those of Slurm's file, read from another format.
   *
   * @throws TopologyFormatException as {@link #parse}
   */
  public static SwitchMap ofStatements(String file, List<List<Field>> statements) {
    SwitchMapReader reader = new SwitchMapReader(file, List.of());
    reader.readStatements(statements);
    return reader.map();
  }

  /**
   * Builds the map of nodes whose ports are all at one switch. What is above the highest switches
   * is not known: one switch is assumed.
   *
   * @throws TopologyFormatException as {@link #parse}
   */
  public static SwitchMap ofRoutes(String file, List<Route> routes) {
    SwitchMapReader reader = new SwitchMapReader(file, List.of());
    for (Route route : routes) {
      reader.put(route.node, SwitchMap.ANY_PORT, route.up.get(0), route.place);
      for (int s = 1; s < route.up.size(); s++) {
        reader.put(route.up.get(s - 1), route.up.get(s), route.place);
      }
    }
    reader.joinTops(routes.stream().map(route -> Last.of(route.up)).distinct().toList());
    return reader.map();
  }

  /**
   * A node and the switches above it.
   *
   * @param up at least one switch, the lowest first
   * @param place where the source states them
   */
  public record Route(String node, List<String> up, SourceLocation place) {
    public Route {
      up = List.copyOf(up);
    }
  }

  private SwitchMap map() {
    if (ports.isEmpty()) {
      throw new TopologyFormatException(file, "names no node, expected at least one");
    }
    rejectLoops();
    Map<String, String> parents = new LinkedHashMap<>();
    above.forEach((below, up) -> parents.put(below, up.parent));
    Map<String, SwitchMap.Uplink> links = new LinkedHashMap<>();
    uplinks.forEach(
        (below, up) -> {
          if (!parents.containsKey(below)) {
            throw error(up.place, below, "a switch above it, as it has an uplink");
          }
          links.put(below, up.links);
        });
    return new SwitchMap(new ArrayList<>(ports.keySet()), ports, parents, links);
  }

  /**
   * A field of a statement about a switch.
   *
   * @param name its name in Slurm's file, in lower case
   * @param place where it begins
   * @param placeOfValue where its value begins
   */
  public record Field(
      String name, String value, SourceLocation place, SourceLocation placeOfValue) {
    /** A field that is only a value in its source. */
    public static Field of(String name, String value, SourceLocation place) {
      return new Field(name, value, place, place);
    }
  }

  private void readSlurm() {
    List<List<Field>> statements = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").stripTrailing();
      boolean isContinued = line.endsWith("\\");
      Matcher word = WORD.matcher(isContinued ? line.substring(0, line.length() - 1) : line);
      while (word.find()) {
        int equals = word.group().indexOf('=');
        SourceLocation place = new SourceLocation(file, i + 1, word.start() + 1);
        if (equals <= 0) {
          throw error(place, word.group(), "NAME=VALUE, as in SwitchName=s0 Nodes=n[0-15]");
        }
        fields.add(
            new Field(
                word.group().substring(0, equals).toLowerCase(Locale.ROOT),
                word.group().substring(equals + 1),
                place,
                new SourceLocation(file, i + 1, word.start() + equals + 2)));
      }
      if (!isContinued && !fields.isEmpty()) {
        statements.add(List.copyOf(fields));
        fields.clear();
      }
    }
    readStatements(statements);
  }

  private void readStatements(List<List<Field>> statements) {
    Map<String, SourceLocation> switches = new LinkedHashMap<>();
    List<String> blocks = new ArrayList<>();
    for (List<Field> fields : statements) {
      if (!OF_PLANNING.contains(fields.get(0).name)) {
        readSwitch(fields, switches);
        find(fields, "blockname").ifPresent(block -> blocks.add(block.value));
      }
    }
    above.forEach(
        (below, up) -> {
          if (!switches.containsKey(below)) {
            throw error(up.place, below, "a switch of the file, with a SwitchName of its own");
          }
        });
    joinTops(blocks);
  }

  private static Optional<Field> find(List<Field> fields, String name) {
    return fields.stream().filter(field -> field.name.equals(name)).findFirst();
  }

  private void readSwitch(List<Field> fields, Map<String, SourceLocation> switches) {
    Field first = fields.get(0);
    Field named =
        find(fields, "switchname")
            .or(() -> find(fields, "blockname"))
            .orElseThrow(
                () -> error(first.place, first.name + "=" + first.value, "SwitchName=..."));
    String name = named.value;
    SourceLocation other = switches.put(name, named.place);
    if (other != null) {
      throw error(
          named.placeOfValue, name, "a name of its own; line " + other.line() + " has it too");
    }
    // scontrol prints all nodes below a switch, beside what is directly below it.
    boolean listsAll = find(fields, "level").isPresent() && find(fields, "switches").isPresent();
    for (Field field : fields) {
      switch (field.name) {
        case "nodes" -> {
          if (!listsAll) {
            hosts(field).forEach(node -> put(node, SwitchMap.ANY_PORT, name, field.placeOfValue));
          }
        }
        case "switches" -> hosts(field).forEach(below -> put(below, name, field.placeOfValue));
        case "uplinkgbps" -> uplink(name, field.value, field.placeOfValue);
        default -> {}
      }
    }
  }

  /** Puts one switch above several that nothing is stated to be above. */
  private void joinTops(List<String> tops) {
    for (String below : tops.size() > 1 ? tops : List.<String>of()) {
      put(below, "all of " + HostList.fold(tops), SourceLocation.of(file));
    }
  }

  private static List<String> hosts(Field field) {
    try {
      return HostList.expand(field.value);
    } catch (IllegalArgumentException e) {
      throw error(field.placeOfValue, field.value, "a list such as n[0-15,20]");
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
    Uplink uplink = new Uplink(uplink(value, place), value, place);
    Uplink other = uplinks.put(name, uplink);
    if (other != null && !other.links.equals(uplink.links)) {
      throw error(
          place,
          value,
          "one bandwidth for each switch; line %s has %s for %s"
              .formatted(other.place.line(), other.text, name));
    }
  }

  /**
   * Parses the links to the switch above: {@code 3200} or {@code 8x400}, in Gb/s.
   *
   * @param place where the text is, for errors
   */
  public static SwitchMap.Uplink uplink(String value, SourceLocation place) {
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
    return new SwitchMap.Uplink(gbps, links);
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
