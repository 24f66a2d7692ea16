package dev.topo.inspect.difference;

import dev.topo.model.Node.BusId;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Parts of one file with the properties that need the whole tree: numbers, cards, links. Numbers
 * that the file omits are those that NCCL would assign, as in {@code JobDevices}.
 */
final class MachineTree {
  /**
   * Upper limit on the parts of a machine (NCCL reads at most 256 elements); keeps comparisons
   * short.
   */
  private static final int MAX_PARTS = 1024;

  private static final String NVSWITCH = "NVSwitch";
  private static final String CPU = "CPU";

  /** Target name of a GPU that is not in the file; NCCL ignores such links. */
  private static final String NO_GPU = "absent GPU";

  private final MachinePart root;
  private final List<MachinePart> parts = new ArrayList<>();
  private final Map<List<Object>, MachinePart> pciByBusId = new HashMap<>();
  private final Map<MachinePart, Integer> numbers = new IdentityHashMap<>();
  private final Map<MachinePart, Integer> ranks = new IdentityHashMap<>();
  private final Map<MachinePart, List<Link>> links = new IdentityHashMap<>();
  private final Map<MachinePart, List<Object>> cards = new IdentityHashMap<>();

  /**
   * NVLink or link between PCI switches.
   *
   * @param targetKind kind of a target outside the file
   */
  record Link(XmlElement element, Optional<MachinePart> target, String targetKind) {
    int count() {
      return integer(element, "count").orElse(1);
    }
  }

  /** Parts of a file; rejects far more parts than a machine has. */
  MachineTree(XmlElement system) {
    this.root = add(system, Optional.empty());
    numberParts();
    for (MachinePart part : parts) {
      links.put(
          part,
          part.element().elements().stream()
              .filter(child -> isLink(part.element(), child))
              .map(child -> link(part, child))
              .toList());
    }
  }

  private MachinePart add(XmlElement element, Optional<MachinePart> parent) {
    MachinePart part = new MachinePart(element, parent, parts.size());
    parts.add(part);
    if (parts.size() > MAX_PARTS) {
      throw new TopologyFormatException(
          element.location(), "has more than " + MAX_PARTS + " elements, expected a machine");
    }
    if (part.isPci()) {
      pciByBusId.putIfAbsent(List.of(host(part), busIdKey(part.busId())), part);
    }
    for (XmlElement child : element.elements()) {
      if (!isLink(element, child)) {
        add(child, Optional.of(part));
      }
    }
    part.close();
    return part;
  }

  private static boolean isLink(XmlElement parent, XmlElement child) {
    return (parent.name().equals("gpu") && child.name().equals("nvlink"))
        || (parent.name().equals("pci") && child.name().equals("pcilink"));
  }

  private static Object busIdKey(String busId) {
    return BusId.isBusId(busId) ? (Object) new BusId(busId).number() : busId;
  }

  private Link link(MachinePart from, XmlElement element) {
    MachinePart target =
        pciByBusId.get(List.of(host(from), busIdKey(element.attribute("target").orElse(""))));
    boolean toGpu = element.name().equals("nvlink");
    if (target != null && (!toGpu || target.kind() == PartKind.GPU_SLOT)) {
      return new Link(element, Optional.of(target), "");
    }
    String targetKind =
        switch (PciClass.of(element.attribute("tclass").orElse(""))) {
          case GPU -> NO_GPU;
          case CPU -> CPU;
          default -> NVSWITCH;
        };
    return new Link(element, Optional.empty(), targetKind);
  }

  private void numberParts() {
    List<MachinePart> gpus = parts(PartKind.GPU);
    List<MachinePart> ports = parts(PartKind.PORT);
    dense(
        gpus,
        gpu -> number(gpu, "dev").or(() -> number(gpu, "rank")).orElse(gpus.indexOf(gpu)),
        numbers);
    dense(ports, port -> number(port, "dev").orElse(ports.indexOf(port)), numbers);
    boolean ranked = gpus.stream().allMatch(gpu -> number(gpu, "rank").orElse(-1) >= 0);
    dense(gpus, gpu -> ranked ? number(gpu, "rank").orElse(0) : number(gpu), ranks);
    Map<List<Object>, Integer> first = new HashMap<>();
    for (MachinePart port : ports) {
      // Without a guid NCCL derives one from the number of the port.
      List<Object> card =
          List.of(host(port), port.element().attribute("guid").orElse("dev " + number(port)));
      cards.put(port, card);
      first.merge(card, number(port), Math::min);
    }
    cards.replaceAll((port, card) -> List.of(first.getOrDefault(card, 0)));
  }

  private static Optional<Integer> number(MachinePart part, String attribute) {
    return integer(part.element(), attribute);
  }

  private static Optional<Integer> integer(XmlElement element, String attribute) {
    try {
      return element.attribute(attribute).map(Integer::decode);
    } catch (NumberFormatException e) {
      return Optional.empty(); // Mapping the file to a topology reports the error.
    }
  }

  /**
   * Numbers parts by the order of a value, with equal numbers for equal values, as only the order
   * counts.
   */
  private static void dense(
      List<MachinePart> of, ToIntFunction<MachinePart> value, Map<MachinePart, Integer> numbers) {
    Map<MachinePart, Integer> values = new LinkedHashMap<>();
    of.forEach(part -> values.put(part, value.applyAsInt(part)));
    List<Integer> order = List.copyOf(new TreeSet<>(values.values()));
    values.forEach((part, v) -> numbers.put(part, order.indexOf(v)));
  }

  MachinePart root() {
    return root;
  }

  /** All parts, in the order of the file. */
  List<MachinePart> parts() {
    return parts;
  }

  List<MachinePart> parts(PartKind kind) {
    return parts.stream().filter(part -> part.kind() == kind).toList();
  }

  /** Index of a GPU or port in the order of device numbers; -1 for other parts. */
  int number(MachinePart part) {
    return numbers.getOrDefault(part, -1);
  }

  /** Index of a GPU in the order of ranks; -1 for other parts. */
  int rank(MachinePart part) {
    return ranks.getOrDefault(part, -1);
  }

  /** Identity of a port's card: equal for ports of one card only. */
  Object card(MachinePart port) {
    return cards.getOrDefault(port, List.of());
  }

  /** Links inside a part, in the order of the file. */
  List<Link> links(MachinePart part) {
    return links.getOrDefault(part, List.of());
  }

  /** Host hash above a part; empty if there is none. */
  static String host(MachinePart part) {
    Optional<MachinePart> at = Optional.of(part);
    while (at.isPresent() && at.get().kind() != PartKind.CPU) {
      at = at.get().parent();
    }
    return at.flatMap(cpu -> cpu.element().attribute("host_hash")).orElse("");
  }

  /** Hosts of the file by hash, numbered in the order of their first GPUs or ports. */
  Map<String, Integer> hosts() {
    Map<String, Integer> firstRank = new TreeMap<>();
    for (MachinePart part : parts) {
      if (part.kind() == PartKind.CPU) {
        firstRank.putIfAbsent(host(part), Integer.MAX_VALUE);
      } else if (part.kind() == PartKind.GPU) {
        firstRank.merge(host(part), rank(part), Math::min);
      }
    }
    Map<String, Integer> hosts = new HashMap<>();
    firstRank.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(host -> hosts.put(host.getKey(), hosts.size()));
    return hosts;
  }

  /** Name of a part: {@code GPU 3}, {@code NIC mlx5_0}, {@code pci 0000:18:00.0}, {@code cpu 1}. */
  String name(MachinePart part) {
    return (part.kind().noun() + " " + id(part)).strip();
  }

  /** Names of parts of one kind, in the order of their numbers, if any: {@code GPU 0, 1, 2}. */
  String names(List<MachinePart> parts) {
    List<String> ids = new ArrayList<>(parts.stream().map(this::id).distinct().toList());
    if (ids.stream().allMatch(id -> id.matches("[0-9]{1,9}"))) {
      ids.sort(Comparator.comparingInt(Integer::parseInt));
    }
    return (parts.get(0).kind().noun() + " " + String.join(", ", ids)).strip();
  }

  /**
   * Identifier of a part among those with the same noun: a number, a name or a bus id; with several
   * hosts in a file, preceded by the number of the host.
   */
  String id(MachinePart part) {
    List<String> hosts =
        parts.stream()
            .filter(cpu -> cpu.kind() == PartKind.CPU)
            .map(MachineTree::host)
            .filter(host -> !host.isEmpty())
            .distinct()
            .toList();
    String id = idOnHost(part);
    boolean isOnHost = hosts.size() > 1 && hosts.contains(host(part));
    return isOnHost ? hosts.indexOf(host(part)) + "-" + id : id;
  }

  private String idOnHost(MachinePart part) {
    return switch (part.kind()) {
      case CPU -> part.element().attribute("numaid").orElse("?");
      case BRIDGE -> part.busId();
      case GPU_SLOT -> below(part, PartKind.GPU, this::dev);
      case GPU -> dev(part);
      case C2C -> part.parent().map(this::idOnHost).orElse("");
      case NIC_SLOT, NIC -> below(part, PartKind.PORT, this::idOnHost);
      case PORT ->
          part.element().attribute("name").filter(n -> !n.isEmpty()).orElseGet(() -> dev(part));
      case MACHINE -> "";
      case OTHER -> "<" + part.element().name() + ">";
    };
  }

  private String dev(MachinePart part) {
    return number(part, "dev").map(String::valueOf).orElseGet(() -> String.valueOf(number(part)));
  }

  private static String below(MachinePart part, PartKind kind, Function<MachinePart, String> name) {
    String names =
        part.all().stream()
            .filter(p -> p.kind() == kind)
            .map(name)
            .collect(Collectors.joining("+"));
    return names.isEmpty() ? part.busId() : names;
  }
}
