package dev.topo.model.xml;

import dev.topo.model.SimilarNames;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.ResourceTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A machine with a name, which stands wherever a topology file does: a machine that comes with
 * topo, or an instance type of a cloud, which is such a machine with other ports. A file of the
 * same name takes precedence. The tables are the README of the shipped machines and the resource
 * {@code instance-types.txt}.
 *
 * @param names its name, and other names of the same machine; case is ignored
 * @param shipped name of the machine that comes with topo
 * @param gpus number of its GPUs
 * @param portPrefix start of the names of its ports; empty for those of the shipped machine
 * @param gbps rate of its ports in Gb/s; 0 for that of the shipped machine
 * @param domainHosts most nodes that NVLink joins; 1 if it joins none
 * @param description its GPUs, ports and network, with what is assumed
 * @param source where the facts are from; empty for a shipped machine, which states it itself
 */
public record NamedMachine(
    List<String> names,
    String shipped,
    int gpus,
    String portPrefix,
    int gbps,
    int domainHosts,
    String description,
    String source) {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([\\w.-]+)\\.xml` \\| (\\d+) \\|[^|]*\\| (.*) \\|$");

  /** A word that is a name rather than a path or the name of an XML file. */
  private static final Pattern WORD = Pattern.compile("(?!.*\\.(xml|gz|txt|ya?ml|csv|json)$)[^/]+");

  public NamedMachine {
    names = List.copyOf(names);
  }

  /** The machines by their names in lower case; read when the first name is looked up. */
  private static final class Table {
    static final Map<String, NamedMachine> BY_NAME = read();

    private static Map<String, NamedMachine> read() {
      Map<String, NamedMachine> machines = new LinkedHashMap<>();
      Matcher rows = ROW.matcher(text("README.md"));
      while (rows.find()) {
        String name = rows.group(1);
        int gpus = Integer.parseInt(rows.group(2));
        machines.put(
            name, new NamedMachine(List.of(name), name, gpus, "", 0, 1, rows.group(3), ""));
      }
      for (String line : ResourceTable.lines(NamedMachine.class, "instance-types.txt")) {
        String[] cells = line.split(" *\\| *", -1);
        NamedMachine machine =
            new NamedMachine(
                List.of(cells[0].split(" ")),
                cells[1],
                Objects.requireNonNull(machines.get(cells[1]), line).gpus,
                cells[2],
                Integer.parseInt(cells[3]),
                Integer.parseInt(cells[4]),
                cells[5],
                cells[6]);
        machine.names.forEach(name -> machines.put(name.toLowerCase(Locale.ROOT), machine));
      }
      return machines;
    }
  }

  private static String text(String file) {
    return ResourceTable.text(NamedMachine.class, "machines/" + file);
  }

  /** All machines: shipped ones, then instance types. */
  public static List<NamedMachine> all() {
    return Table.BY_NAME.values().stream().distinct().toList();
  }

  /** All names. */
  public static List<String> allNames() {
    return all().stream().flatMap(machine -> machine.names.stream()).toList();
  }

  /** The machine that the name of a file denotes; empty if there is such a file, or no machine. */
  public static Optional<NamedMachine> of(Path file) {
    return Files.exists(file)
        ? Optional.empty()
        : Optional.ofNullable(Table.BY_NAME.get(file.toString().toLowerCase(Locale.ROOT)));
  }

  /** The content of the machine that the name of a file denotes; empty as in {@link #of}. */
  public static Optional<byte[]> bytes(Path file, Inputs inputs) {
    return of(file).map(machine -> inputs.shipped(file, machine.content()));
  }

  /** What is expected instead of a file that does not exist. */
  static String expectedInsteadOf(Path file) {
    String word = file.toString();
    if (!WORD.matcher(word).matches()) {
      return "an XML file";
    }
    List<String> similar = SimilarNames.of(allNames(), word);
    return "an XML file or a name of topo machines"
        + (similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?");
  }

  /** Its name. */
  public String name() {
    return names.get(0);
  }

  /** True if it comes with topo; false for an instance type. */
  public boolean isShipped() {
    return source.isEmpty();
  }

  /** Its name with its description: {@code p5.48xlarge (8 H100, ...)}. */
  public String label() {
    return name() + " (" + description + ")";
  }

  /** Its topology in NCCL's XML. */
  public byte[] content() {
    String text = text(shipped + ".xml");
    if (!portPrefix.isEmpty()) {
      text = text.replaceAll("(<net name=\")[^\"]*?(\\d+\")", "$1" + portPrefix + "$2");
    }
    if (gbps > 0) {
      text = text.replaceAll("(<net [^>]* speed=\")\\d+", "$1" + gbps + "000");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The nodes of each NVLink domain of a job that states none, in rank order; empty if NVLink joins
   * no nodes.
   *
   * @param hosts the file of each node
   */
  public static List<Integer> domains(List<Path> hosts) {
    List<Integer> sizes = new ArrayList<>();
    Map<Path, Integer> mostByFile = new HashMap<>();
    boolean isJoined = false;
    for (int first = 0; first < hosts.size(); ) {
      Path file = hosts.get(first);
      int most =
          mostByFile.computeIfAbsent(
              file, name -> of(name).map(NamedMachine::domainHosts).orElse(1));
      int size = 1;
      while (size < most && first + size < hosts.size() && hosts.get(first + size).equals(file)) {
        size++;
      }
      isJoined |= size > 1;
      sizes.add(size);
      first += size;
    }
    return isJoined ? sizes : List.of();
  }
}
