package dev.topo.hw.foreign;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.job.SpecException;
import dev.topo.model.xml.Attributes;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Builds the topology file of a machine that other tools describe: CPUs, the PCI branches with GPUs
 * and network cards, NVLinks and ports, as far as known.
 */
final class SystemTree {
  private static final SourceLocation NOWHERE = SourceLocation.of("imported");

  /** Remote end of an NVLink to a hidden switch; the other constant is the class of switches. */
  private static final String NVSWITCH = "ffffffff:ffff:ff";

  private static final String AT_A_CPU = "";
  private static final String SWITCH_CLASS = "0x068000";
  private static final String GPU_CLASS = "0x030200";

  /** Maximum number of connections ({@code maxconn}) of a ConnectX in published dumps. */
  private static final String MAX_CONNECTIONS = "131072";

  private final ForeignMachine machine;
  private final Map<String, Map<String, Integer>> nvlinks;
  private final Assumption assumption;
  private final List<ForeignDevice> nics;

  /** Device numbers of GPUs and of network cards by bus id, assigned in the order of bus ids. */
  private final Map<String, Integer> numbers = new HashMap<>();

  /** Devices by the bus id of the bridge above them; the key is empty for devices at a CPU. */
  private final Map<String, List<ForeignDevice>> below = new HashMap<>();

  private final Set<String> speeds = new LinkedHashSet<>();

  /**
   * Tree of a machine.
   *
   * @param nvlinks number of NVLinks between GPUs by bus ids; empty if unknown
   */
  SystemTree(
      ForeignMachine machine, Map<String, Map<String, Integer>> nvlinks, Assumption assumption) {
    this.machine = machine;
    this.nvlinks = nvlinks;
    this.assumption = assumption;
    this.nics = numbered(machine.devices().stream().filter(ForeignDevice::isNic).toList(), numbers);
    numbered(machine.gpus(), numbers);
    for (ForeignDevice device : machine.devices()) {
      below
          .computeIfAbsent(device.upstream().orElse(AT_A_CPU), busId -> new ArrayList<>())
          .add(device);
    }
  }

  private static List<ForeignDevice> numbered(
      List<ForeignDevice> devices, Map<String, Integer> numbers) {
    List<ForeignDevice> sorted =
        devices.stream().sorted(Comparator.comparing(ForeignDevice::busId)).toList();
    for (int i = 0; i < sorted.size(); i++) {
      numbers.put(sorted.get(i).busId(), i);
    }
    return sorted;
  }

  private int number(ForeignDevice device) {
    return numbers.getOrDefault(device.busId(), 0);
  }

  /** Assumptions about network ports; to be called after {@link #document}. */
  List<String> assumed() {
    return speeds.isEmpty()
        ? List.of()
        : List.of(
            "ports with GDR, maxconn "
                + MAX_CONNECTIONS
                + " and a card each, of "
                + String.join(", ", speeds));
  }

  XmlDocument document() {
    Map<String, List<ForeignDevice>> roots = new LinkedHashMap<>();
    machine.cpus().forEach(cpu -> roots.put(cpu.numaNode(), new ArrayList<>()));
    for (ForeignDevice root : below.getOrDefault(AT_A_CPU, List.of())) {
      roots.computeIfAbsent(root.numaNode(), numaNode -> new ArrayList<>()).add(root);
    }
    List<XmlNode> cpus = new ArrayList<>();
    for (ForeignCpu cpu : machine.cpus()) {
      cpus.add(cpu(cpu, Objects.requireNonNull(roots.remove(cpu.numaNode()))));
    }
    roots.forEach(
        (numaNode, devices) -> {
          XmlElement cpu = cpu(likeFirst(numaNode), devices);
          if (!cpu.children().isEmpty()) {
            cpus.add(cpu);
          }
        });
    return new XmlDocument(List.of(), element("system", Map.of("version", "1"), cpus), List.of());
  }

  /**
   * CPU that no tool shows, such as that of devices between two NUMA nodes, with the properties of
   * the first CPU.
   */
  private ForeignCpu likeFirst(String numaNode) {
    return machine.cpus().stream()
        .findFirst()
        .map(
            cpu ->
                new ForeignCpu(numaNode, "", cpu.arch(), cpu.vendor(), cpu.family(), cpu.model()))
        .orElse(new ForeignCpu(numaNode, "", "", "", "", ""));
  }

  private XmlElement cpu(ForeignCpu cpu, List<ForeignDevice> roots) {
    List<XmlNode> branches =
        roots.stream().flatMap(device -> branch(device).stream()).map(XmlNode.class::cast).toList();
    return element("cpu", cpu.attributes(), branches);
  }

  /** Device with the devices below it; empty if there is neither a GPU nor a network port. */
  private Optional<XmlElement> branch(ForeignDevice device) {
    List<XmlNode> children = new ArrayList<>();
    if (device.isGpu()) {
      gpu(device).ifPresent(children::add);
    } else if (device.isNic()) {
      children.add(element("nic", Map.of(), List.of(net(device))));
    }
    below
        .getOrDefault(device.busId(), List.of())
        .forEach(other -> branch(other).ifPresent(children::add));
    return children.isEmpty() && !device.isGpu()
        ? Optional.empty()
        : Optional.of(element("pci", attributes(device), children));
  }

  private static Map<String, String> attributes(ForeignDevice device) {
    Map<String, String> attributes =
        Attributes.inOrder("busid", device.busId(), "class", device.pciClass());
    ids(attributes, "", device.ids());
    ids(attributes, "subsystem_", device.subsystem());
    attributes.put("link_speed", device.link().speed());
    attributes.put("link_width", String.valueOf(device.link().width()));
    return attributes;
  }

  private static void ids(Map<String, String> attributes, String prefix, String ids) {
    String[] parts = ids.isEmpty() ? new String[] {"0000", "0000"} : ids.split(":", 2);
    attributes.put(prefix + "vendor", "0x" + parts[0]);
    attributes.put(prefix + "device", "0x" + parts[1]);
  }

  /** GPU with its known NVLinks; empty if there are none. */
  private Optional<XmlElement> gpu(ForeignDevice device) {
    Map<String, Integer> links = nvlinks.getOrDefault(device.busId(), Map.of());
    if (links.isEmpty()) {
      return Optional.empty();
    }
    List<XmlNode> children = new ArrayList<>();
    if (isSwitched()) {
      int count = links.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
      children.add(nvlink(NVSWITCH, count, SWITCH_CLASS));
    } else {
      links.forEach((gpu, count) -> children.add(nvlink(gpu, count, GPU_CLASS)));
    }
    return Optional.of(element("gpu", Map.of("dev", String.valueOf(number(device))), children));
  }

  /**
   * True if the links lead to switches: some GPU has more links to its peers than its model has.
   */
  private boolean isSwitched() {
    return nvlinks.values().stream()
        .mapToInt(links -> links.values().stream().mapToInt(Integer::intValue).sum())
        .anyMatch(total -> total > assumption.maxLinks());
  }

  private static XmlElement nvlink(String target, int count, String tclass) {
    return element(
        "nvlink",
        Attributes.inOrder("target", target, "count", count, "tclass", tclass),
        List.of());
  }

  private XmlElement net(ForeignDevice nic) {
    int dev = number(nic);
    return element(
        "net",
        Attributes.inOrder(
            "name",
            nic.port(),
            "dev",
            dev,
            "latency",
            0,
            "speed",
            mbps(nic),
            "port",
            1,
            "guid",
            "0x" + Integer.toHexString(dev + 1),
            "maxconn",
            MAX_CONNECTIONS,
            "gdr",
            1),
        List.of());
  }

  private int mbps(ForeignDevice nic) {
    if (assumption.netMbps().isPresent()) {
      speeds.add(assumption.netMbps().getAsInt() + " Mbit/s");
      return assumption.netMbps().getAsInt();
    }
    NicModel model =
        NicModel.ofId(nic.ids())
            .orElseThrow(
                () ->
                    SpecException.worded(
                        SpecField.ASSUME,
                        SpecText.of(
                            "the speed of %s is not known (%s): expected %s net=MBIT_PER_SECOND",
                            QuantityFormat.joined(", ", nics, ForeignDevice::port),
                            nic.ids().isEmpty() ? "no PCI id" : nic.ids(),
                            SpecField.ASSUME)));
    speeds.add("%s Mbit/s (%s at its fastest)".formatted(model.mbps(), model.name()));
    return model.mbps();
  }

  private static XmlElement element(
      String name, Map<String, String> attributes, List<XmlNode> children) {
    return new XmlElement(name, attributes, children, NOWHERE);
  }
}
