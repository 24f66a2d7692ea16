package dev.topo.simulator.sweep;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.measured.YamlNode;
import dev.topo.inspect.measured.YamlReader;
import dev.topo.model.io.InputText;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.simulator.sweep.SweepSpec.Constants;
import dev.topo.simulator.sweep.SweepSpec.MachineFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the specification of a sweep. Names of files stay as written, relative to the folder of the
 * specification. {@code docs/sweep.md} describes the format, {@code
 * docs/schema/sweep-spec.schema.json} is its schema.
 *
 * @param source name of the specification in error messages
 */
public record SpecReader(String source) {
  private static final Set<String> KEYS =
      keys(
          "name, machines, axes, nccl, nodes, fabrics, collectives, sizes, group, workloads, calibration, network, memory,"
              + " prices, objective, limits");

  /** Name of the axis of NCCL releases. */
  static final String RELEASES = "nccl";

  private static final String A_FILE = "a topology file, or {file: FILE, nvlink-domain: N}";

  private static final String EDITS = "an edit as in net:*.speed=400000, or a list of edits";

  /** Names of columns and price keys, which an axis cannot have. */
  private static final Set<String> RESERVED = Set.copyOf(ResultRow.header(List.of("node", "nic")));

  private static final Pattern AXIS = Pattern.compile("[a-z][a-z0-9_-]{0,39}");

  /** Largest number of nodes of a job. */
  private static final int MAX_NODES = 65_536;

  /** Largest number of placements of one machine. */
  private static final int MAX_PLACEMENTS = 20_000;

  private static final String A_SPECIFICATION = "the YAML of a sweep";

  /** Largest size in bytes: the YAML library takes quadratic time for blanks. */
  private static final int MAX_BYTES = 1 << 20;

  /** The names of a list that is separated by commas. */
  static Set<String> keys(String list) {
    return new LinkedHashSet<>(List.of(list.split(",\\s*")));
  }

  /**
   * Reads a specification from a file, with the NVLink domains of machines by name.
   *
   * @throws TopologyFormatException with line, column and what was expected
   */
  public static SweepSpec read(Path file, Inputs inputs) {
    return DomainCheck.joined(
        parse(text(file, inputs), file.toString()), SpecFiles.of(file, inputs));
  }

  /**
   * The text of a specification.
   *
   * @throws TopologyFormatException if the file is larger than 1 MiB or is not text
   */
  static String text(Path file, Inputs inputs) {
    return InputText.of(
        inputs.bytes(file, A_SPECIFICATION, MAX_BYTES, true), file.toString(), A_SPECIFICATION);
  }

  /**
   * Parses the text of a specification.
   *
   * @param source name of the specification in error messages
   */
  public static SweepSpec parse(String text, String source) {
    return new SpecReader(source).spec(text);
  }

  private SweepSpec spec(String text) {
    YamlNode.Fields spec = YamlReader.read(text, source).requireOnly(KEYS);
    List<MachineFile> machines =
        machines(spec.require("machines", "has no machines, expected some topology file"));
    List<Axis> axes = new ArrayList<>();
    spec.find("axes").ifPresent(node -> axes.addAll(axes(node)));
    spec.find(RELEASES).ifPresent(node -> axes.add(releases(node)));
    requireDistinct(spec, axes);
    List<Switches> fabrics =
        spec.find("fabrics").map(this::fabrics).orElse(List.of(new Switches.Wide("wide")));
    List<Question> questions = QuestionReader.questions(spec);
    SweepSpec read =
        new SweepSpec(
            text,
            spec.find("name").map(node -> node.text("a name")).orElseGet(() -> stem(source)),
            machines,
            axes,
            fabrics,
            spec.find("nodes").map(SpecReader::nodes).orElse(List.of(1)),
            questions,
            spec.find("calibration").map(this::constants),
            spec.find("network").map(this::constants),
            spec.find("memory").map(SpecReader::truth).orElse(false),
            new RankingReader(spec, axes, machines, fabrics).ranking(questions));
    DomainCheck.check(read);
    return read;
  }

  private static String stem(String file) {
    return String.valueOf(Path.of(file).getFileName()).replaceFirst("\\.ya?ml$", "");
  }

  private static void requireDistinct(YamlNode where, List<Axis> axes) {
    Set<String> names = new LinkedHashSet<>();
    int placements = 0;
    for (Axis axis : axes) {
      if (!names.add(axis.name())) {
        throw where.error("axis " + axis.name() + " is there twice");
      }
      placements += axis instanceof Axis.Placements ? 1 : 0;
    }
    if (placements > 1) {
      throw where.error("two axes of placements, expected one");
    }
  }

  private Constants constants(YamlNode node) {
    String name = node.text("a name or a file");
    return new Constants(name, Path.of(name), node.location());
  }

  private List<MachineFile> machines(YamlNode node) {
    List<MachineFile> machines = new ArrayList<>();
    if (node instanceof YamlNode.Fields named) {
      named
          .find("nvlink-domain")
          .ifPresent(
              domain -> {
                throw domain.error("expected a name: {NAME: {file: FILE, nvlink-domain: N}}");
              });
      named.fields().forEach((name, file) -> machines.add(machine(name, file)));
    } else {
      for (YamlNode item : node.items("files")) {
        MachineFile file = machine("", item);
        machines.add(
            new MachineFile(
                MachineName.of(file.file()), file.file(), file.nvlinkDomain(), file.location()));
      }
    }
    if (machines.isEmpty()) {
      throw node.error("expected a topology file");
    }
    return distinct(node, machines, MachineFile::name);
  }

  private MachineFile machine(String name, YamlNode file) {
    if (file instanceof YamlNode.Fields fields) {
      fields.requireOnly(keys("file, nvlink-domain"));
      YamlNode path = fields.require("file", "expected file: FILE");
      Optional<YamlNode> domain = fields.find("nvlink-domain");
      return new MachineFile(
          name,
          Path.of(path.text(A_FILE)),
          domain.stream().mapToInt(hosts -> whole(hosts, 1, MAX_NODES)).findFirst(),
          domain.orElse(path).location());
    }
    return new MachineFile(name, Path.of(file.text(A_FILE)), OptionalInt.empty(), file.location());
  }

  private static <T> List<T> distinct(YamlNode where, List<T> elements, Function<T, String> name) {
    Set<String> names = new LinkedHashSet<>();
    for (T element : elements) {
      if (!names.add(name.apply(element))) {
        throw where.error("two are called " + name.apply(element) + ", expected a name for each");
      }
    }
    return elements;
  }

  private List<Axis> axes(YamlNode node) {
    List<Axis> axes = new ArrayList<>();
    node.fields("axes: each a map from the name of a value to edits")
        .fields()
        .forEach((name, values) -> axes.add(axis(name, values)));
    return axes;
  }

  private Axis axis(String name, YamlNode node) {
    if (!AXIS.matcher(name).matches() || RESERVED.contains(name)) {
      throw node.error(
          "axis "
              + name
              + ": expected a name of small letters, digits and _ that is no other column of the results");
    }
    YamlNode.Fields values = node.fields("values: a map from the name of a value to edits");
    Optional<YamlNode> placements = values.find("placements");
    if (placements.isPresent()) {
      return placements(name, values, placements.get());
    }
    List<Axis.Value> listed = new ArrayList<>();
    values.fields().forEach((value, edits) -> listed.add(new Axis.Value(value, edits(edits))));
    if (listed.isEmpty()) {
      throw node.error("axis " + name + ": expected a value");
    }
    return new Axis.Listed(name, listed);
  }

  private static Axis placements(String name, YamlNode.Fields axis, YamlNode number) {
    axis.requireOnly(keys("placements, per-switch"));
    boolean isAll = number instanceof YamlNode.Text scalar && scalar.text().strip().equals("all");
    return new Axis.Placements(
        name,
        isAll ? MAX_PLACEMENTS : whole(number, 1, MAX_PLACEMENTS),
        axis.find("per-switch").stream()
            .mapToInt(node -> whole(node, 1, MAX_PLACEMENTS))
            .findFirst(),
        axis.location());
  }

  private List<Edit> edits(YamlNode node) {
    return node.items(EDITS).stream()
        .flatMap(item -> edit(item, item.text(EDITS)).stream())
        .toList();
  }

  private List<Edit> edit(YamlNode where, String text) {
    List<Edit> edits = accepted(where, () -> EditParser.parse(text, where.location() + ": edit"));
    for (Edit edit : edits) {
      if (edit instanceof Edit.SetEnv env && env.name().endsWith("_FILE")) {
        throw where.error("a sweep does not vary " + env.name() + ", expected topo whatif");
      }
    }
    return edits;
  }

  private Axis releases(YamlNode node) {
    return new Axis.Listed(
        RELEASES,
        node.items("releases, as in [2.27.5, 2.28.9]").stream()
            .map(
                release -> {
                  String text = release.text("a release");
                  return new Axis.Value(text, edit(release, "nccl " + text));
                })
            .toList());
  }

  private static List<Integer> nodes(YamlNode node) {
    TreeSet<Integer> numbers = new TreeSet<>();
    node.items("numbers of nodes").forEach(item -> numbers.add(whole(item, 1, MAX_NODES)));
    if (numbers.isEmpty()) {
      throw node.error("expected numbers of nodes");
    }
    return List.copyOf(numbers);
  }

  private List<Switches> fabrics(YamlNode node) {
    List<Switches> fabrics = new ArrayList<>();
    node.fields("fabrics: a map from a name to switches")
        .fields()
        .forEach((name, yamlNode) -> fabrics.add(fabric(name, yamlNode)));
    if (fabrics.isEmpty()) {
      throw node.error("expected a fabric");
    }
    return fabrics;
  }

  private Switches fabric(String name, YamlNode node) {
    if (node instanceof YamlNode.Text scalar && scalar.text().strip().equals("wide")) {
      return new Switches.Wide(name);
    }
    YamlNode.Fields fields =
        node.fields("wide, {file: FILE}, or {leaf: rail, ports: 64, oversubscription: 1}");
    boolean adaptive = fields.find("adaptive").map(SpecReader::truth).orElse(false);
    Optional<YamlNode> file = fields.find("file");
    if (file.isPresent()) {
      fields.requireOnly(keys("file, adaptive"));
      return new Switches.Listed(
          name, Path.of(file.get().text("a file")), adaptive, file.get().location());
    }
    fields.requireOnly(keys("leaf, ports, oversubscription, adaptive"));
    YamlNode leaf = fields.require("leaf", "expected leaf: rail or node");
    String kind = leaf.text("rail or node");
    if (!kind.equals("rail") && !kind.equals("node")) {
      throw leaf.error("expected rail or node");
    }
    YamlNode ports = fields.require("ports", "expected ports: those of a leaf to nodes");
    double over =
        fields
            .find("oversubscription")
            .map(over1 -> number(over1, "a number from 1 on"))
            .orElse(1.0);
    if (over < 1) {
      throw fields.error("oversubscription " + over + ": expected a number from 1 on");
    }
    return new Switches.Leaves(
        name, kind.equals("rail"), whole(ports, 1, 1024), over, adaptive, fields.location());
  }

  /** The boolean of a node. */
  static boolean truth(YamlNode node) {
    String text = node.text("true or false");
    if (!text.equals("true") && !text.equals("false")) {
      throw node.error("expected true or false");
    }
    return text.equals("true");
  }

  /** The one of several constants that a node names by its label. */
  static <T> T one(YamlNode node, T[] constants, Function<T, String> label) {
    String labels = Arrays.stream(constants).map(label).collect(Collectors.joining(", "));
    String text = node.text("one of " + labels);
    return Arrays.stream(constants)
        .filter(value -> label.apply(value).equals(text))
        .findFirst()
        .orElseThrow(() -> node.error("expected one of " + labels));
  }

  /** The whole number of a node, from {@code least} to {@code most}. */
  static int whole(YamlNode node, int least, int most) {
    String expected = "a number from %s to %s".formatted(least, most);
    double value = number(node, expected);
    if (value != Math.rint(value) || value < least || value > most) {
      throw node.error("expected " + expected);
    }
    return (int) value;
  }

  /** The finite number of a node. */
  static double number(YamlNode node, String expected) {
    try {
      double value = Double.parseDouble(node.text(expected));
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw node.error("expected " + expected);
    }
    throw node.error("expected " + expected);
  }

  /** The result of a parser; errors are reported at the location of a node. */
  static <T> T accepted(YamlNode where, Supplier<T> value) {
    try {
      return value.get();
    } catch (TopologyFormatException e) {
      throw new TopologyFormatException(where.location(), e.reason(), e);
    } catch (SpecException e) {
      throw new TopologyFormatException(where.location(), e.problem().toString().strip(), e);
    } catch (SettingException e) {
      throw new TopologyFormatException(where.location(), String.valueOf(e.getMessage()), e);
    }
  }
}
