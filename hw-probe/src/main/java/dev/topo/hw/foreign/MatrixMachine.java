package dev.topo.hw.foreign;

import dev.topo.hw.foreign.SmiQueryFile.Gpu;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Builds a machine from connection types alone: devices at PIX share a PCI switch, those at PXB a
 * switch above their switches, those at PHB or NODE a CPU. Bus ids that no tool shows are
 * synthetic, in a domain that no machine has.
 */
final class MatrixMachine {
  private static final Pattern NVLINK = Pattern.compile("NV([0-9]{1,2})");
  private static final Set<String> ONE_SWITCH = Set.of("PIX");
  private static final Set<String> SWITCHES = Set.of("PIX", "PXB");
  private static final Set<String> ONE_CPU = Set.of("PIX", "PXB", "PHB", "NODE");

  /** PCI classes: a bridge, a GPU without a display, an InfiniBand card. */
  private static final String BRIDGE = "0x060400";

  private static final String GPU = "0x030200";
  private static final String NIC = "0x020700";

  private final SmiMatrix matrix;
  private final List<Gpu> query;
  private final PciLink link;
  private final List<ForeignCpu> cpus = new ArrayList<>();
  private final List<ForeignDevice> devices = new ArrayList<>();
  private final Map<String, String> busIds = new HashMap<>();
  private int bridges;

  private MatrixMachine(SmiMatrix matrix, List<Gpu> query, PciLink link) {
    this.matrix = matrix;
    this.query = query;
    this.link = link;
  }

  /**
   * Builds the machine.
   *
   * @param query the GPUs of {@code nvidia-smi -q -x}, in order; empty without it
   * @param link link of devices for which no tool shows one
   */
  static ForeignMachine of(SmiMatrix matrix, List<Gpu> query, PciLink link) {
    return new MatrixMachine(matrix, query, link).machine();
  }

  private ForeignMachine machine() {
    for (int i = 0; i < matrix.names().size(); i++) {
      String name = matrix.names().get(i);
      busIds.put(
          name,
          SmiMatrix.isGpu(name) && i < query.size()
              ? SmiGpu.busId(query.get(i))
              : "fffe:%02x:00.0".formatted(i + 1));
    }
    // The kernel assigns a device the CPUs of its NUMA node.
    Map<String, String> nodes = new HashMap<>();
    matrix
        .numaNodes()
        .forEach((name, node) -> nodes.put(matrix.cpus().getOrDefault(name, name), node));
    Optional<String> everyCpu = cpusWithoutNuma();
    for (List<String> members : components(matrix.names(), ONE_CPU)) {
      Optional<String> affinity = first(members, matrix.cpus());
      String key = affinity.or(() -> everyCpu).orElse(members.get(0));
      String numa =
          first(members, matrix.numaNodes())
              .orElseGet(() -> nodes.computeIfAbsent(key, cpus -> freeNode(nodes)));
      if (cpus.stream().noneMatch(cpu -> cpu.numaNode().equals(numa))) {
        cpus.add(new ForeignCpu(numa, affinity.orElse(""), "", "", "", ""));
      }
      components(members, SWITCHES).forEach(below -> switches(below, numa));
    }
    return new ForeignMachine(cpus, devices, nvlinks(), "", assumed());
  }

  /** Value of a column for the first of some devices that has one; empty if none has. */
  private static Optional<String> first(List<String> members, Map<String, String> column) {
    return members.stream().filter(column::containsKey).map(column::get).findFirst();
  }

  /** CPUs of all GPUs, if they are the same for GPUs at SYS, as on a kernel without NUMA. */
  private Optional<String> cpusWithoutNuma() {
    boolean isSys =
        matrix.gpus().stream()
            .anyMatch(
                from -> matrix.gpus().stream().anyMatch(to -> matrix.cell(from, to).equals("SYS")));
    Set<String> affinities = Set.copyOf(matrix.cpus().values());
    return affinities.stream().filter(all -> isSys && affinities.size() == 1).findFirst();
  }

  private static String freeNode(Map<String, String> nodes) {
    int number = 0;
    while (nodes.containsValue(String.valueOf(number))) {
      number++;
    }
    return String.valueOf(number);
  }

  private List<String> assumed() {
    List<String> assumed = new ArrayList<>();
    assumed.add(
        "PCI switches by the types of nvidia-smi topo -m (PIX and PXB), with made-up bus ids");
    boolean hasNics = !matrix.names().stream().allMatch(SmiMatrix::isGpu);
    if (query.isEmpty() || hasNics) {
      assumed.add(
          "made-up bus ids of %s, links of %s x %s"
              .formatted(
                  query.isEmpty() ? hasNics ? "GPUs and NICs" : "GPUs" : "NICs",
                  link.speed(),
                  link.width()));
    }
    return assumed;
  }

  /**
   * Adds devices that share PCI switches, with their switches: one, or several with one above them.
   */
  private void switches(List<String> members, String numa) {
    List<List<String>> groups = components(members, ONE_SWITCH);
    Optional<String> top =
        groups.size() > 1 ? Optional.of(bridge(Optional.empty(), numa)) : Optional.empty();
    for (List<String> group : groups) {
      Optional<String> above = group.size() > 1 ? Optional.of(bridge(top, numa)) : top;
      group.forEach(name -> device(name, above, numa));
    }
  }

  private String bridge(Optional<String> upstream, String numa) {
    bridges++;
    String busId = "ffff:%02x:00.0".formatted(bridges);
    devices.add(new ForeignDevice(busId, BRIDGE, "", "", link, upstream, numa, ""));
    return busId;
  }

  private void device(String name, Optional<String> upstream, String numa) {
    boolean isGpu = SmiMatrix.isGpu(name);
    devices.add(
        new ForeignDevice(
            busIds.getOrDefault(name, ""),
            isGpu ? GPU : NIC,
            "",
            "",
            link,
            upstream,
            numa,
            isGpu ? "" : matrix.ports().getOrDefault(name, name.toLowerCase(Locale.ROOT))));
  }

  private Map<String, Map<String, Integer>> nvlinks() {
    Map<String, Map<String, Integer>> links = new TreeMap<>();
    for (String from : matrix.names()) {
      for (String to : matrix.names()) {
        var cell = NVLINK.matcher(matrix.cell(from, to));
        if (cell.matches()) {
          links
              .computeIfAbsent(busIds.getOrDefault(from, ""), name -> new LinkedHashMap<>())
              .put(busIds.getOrDefault(to, ""), Integer.valueOf(cell.group(1)));
        }
      }
    }
    return links;
  }

  /** Connected components of the names with respect to some types of connection, in order. */
  private List<List<String>> components(List<String> names, Set<String> types) {
    List<List<String>> groups = new ArrayList<>();
    for (String name : names) {
      Predicate<List<String>> isConnected =
          group -> group.stream().anyMatch(other -> types.contains(matrix.cell(name, other)));
      List<String> joined = new ArrayList<>();
      groups.stream().filter(isConnected).forEach(joined::addAll);
      int position = groups.size();
      for (int i = groups.size() - 1; i >= 0; i--) {
        if (isConnected.test(groups.get(i))) {
          groups.remove(i);
          position = i;
        }
      }
      joined.add(name);
      groups.add(position, joined);
    }
    return groups;
  }
}
