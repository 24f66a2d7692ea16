package dev.topo.probe.foreign;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.settings.SettingException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlNode;
import dev.topo.probe.assume.Assumption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The topology file of a machine that other tools show: CPUs, the PCI branches with GPUs and
 * network cards, NVLinks and ports, as far as they are known.
 */
final class SystemTree {
  private static final SourceLocation NOWHERE = SourceLocation.of("imported");

  /** The remote end of an NVLink to a switch that is not shown, and the class of switches. */
  private static final String NVSWITCH = "ffffffff:ffff:ff";

  private static final String SWITCH_CLASS = "0x068000";
  private static final String GPU_CLASS = "0x030200";

  /** The queue pairs of a ConnectX in published dumps. */
  private static final String MAX_CONNECTIONS = "131072";

  private final ForeignMachine machine;
  private final Map<String, Map<String, Integer>> nvlinks;
  private final Assumption assumption;
  private final List<ForeignDevice> gpus;
  private final List<ForeignDevice> nics;
  private final Set<String> speeds = new LinkedHashSet<>();

  /**
   * A tree.
   *
   * @param nvlinks number of NVLinks between GPUs by bus ids; empty if not known
   */
  SystemTree(
      ForeignMachine machine, Map<String, Map<String, Integer>> nvlinks, Assumption assumption) {
    this.machine = machine;
    this.nvlinks = nvlinks;
    this.assumption = assumption;
    this.gpus = machine.gpus().stream().sorted((a, b) -> a.busId().compareTo(b.busId())).toList();
    this.nics =
        machine.devices().stream()
            .filter(ForeignDevice::isNic)
            .sorted((a, b) -> a.busId().compareTo(b.busId()))
            .toList();
  }

  /** What was assumed of network ports; to be called after {@link #document}. */
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
    List<XmlNode> cpus = new ArrayList<>();
    List<String> known = machine.cpus().stream().map(ForeignCpu::numaNode).toList();
    List<ForeignDevice> roots =
        machine.devices().stream().filter(device -> device.upstream().isEmpty()).toList();
    for (ForeignCpu cpu : machine.cpus()) {
      cpus.add(cpu(cpu, roots));
    }
    roots.stream()
        .map(ForeignDevice::numaNode)
        .filter(node -> !known.contains(node))
        .distinct()
        .map(node -> cpu(likeFirst(node), roots))
        .filter(cpu -> !cpu.children().isEmpty())
        .forEach(cpus::add);
    return new XmlDocument(List.of(), element("system", Map.of("version", "1"), cpus), List.of());
  }

  /** A CPU that no tool shows, such as that of devices between two NUMA nodes. */
  private ForeignCpu likeFirst(String numaNode) {
    return machine.cpus().stream()
        .findFirst()
        .map(
            cpu ->
                new ForeignCpu(numaNode, "", cpu.arch(), cpu.vendor(), cpu.family(), cpu.model()))
        .orElse(new ForeignCpu(numaNode, "", "", "", "", ""));
  }

  private XmlElement cpu(ForeignCpu cpu, List<ForeignDevice> roots) {
    List<XmlNode> below =
        roots.stream()
            .filter(device -> device.numaNode().equals(cpu.numaNode()))
            .flatMap(device -> branch(device).stream())
            .map(XmlNode.class::cast)
            .toList();
    return element("cpu", cpu.attributes(), below);
  }

  /** A device with what is below it; empty if that is neither a GPU nor a network port. */
  private Optional<XmlElement> branch(ForeignDevice device) {
    List<XmlNode> below = new ArrayList<>();
    if (gpus.contains(device)) {
      gpu(device).ifPresent(below::add);
    } else if (nics.contains(device)) {
      below.add(element("nic", Map.of(), List.of(net(device))));
    }
    machine.devices().stream()
        .filter(other -> other.upstream().equals(Optional.of(device.busId())))
        .forEach(other -> branch(other).ifPresent(below::add));
    return below.isEmpty() && !gpus.contains(device)
        ? Optional.empty()
        : Optional.of(element("pci", attributes(device), below));
  }

  private static Map<String, String> attributes(ForeignDevice device) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("busid", device.busId());
    attributes.put("class", device.pciClass());
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

  /** A GPU with the NVLinks that are known; empty if none are. */
  private Optional<XmlElement> gpu(ForeignDevice device) {
    Map<String, Integer> links = nvlinks.getOrDefault(device.busId(), Map.of());
    if (links.isEmpty()) {
      return Optional.empty();
    }
    int total = links.values().stream().mapToInt(Integer::intValue).sum();
    boolean isSwitched = total > assumption.mostLinks();
    List<XmlNode> children = new ArrayList<>();
    if (isSwitched) {
      int count = links.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
      children.add(nvlink(NVSWITCH, count, SWITCH_CLASS));
    } else {
      links.forEach((gpu, count) -> children.add(nvlink(gpu, count, GPU_CLASS)));
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("dev", String.valueOf(gpus.indexOf(device)));
    return Optional.of(element("gpu", attributes, children));
  }

  private static XmlElement nvlink(String target, int count, String tclass) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("target", target);
    attributes.put("count", String.valueOf(count));
    attributes.put("tclass", tclass);
    return element("nvlink", attributes, List.of());
  }

  private XmlElement net(ForeignDevice nic) {
    int dev = nics.indexOf(nic);
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("name", nic.port());
    attributes.put("dev", String.valueOf(dev));
    attributes.put("latency", "0");
    attributes.put("speed", String.valueOf(mbps(nic)));
    attributes.put("port", "1");
    attributes.put("guid", "0x" + Integer.toHexString(dev + 1));
    attributes.put("maxconn", MAX_CONNECTIONS);
    attributes.put("gdr", "1");
    return element("net", attributes, List.of());
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
                    new SettingException(
                        "the speed of %s is not known (%s): expected --assume net=MBIT_PER_SECOND"
                            .formatted(
                                nics.stream()
                                    .map(ForeignDevice::port)
                                    .collect(Collectors.joining(", ")),
                                nic.ids().isEmpty() ? "no PCI id" : nic.ids())));
    speeds.add("%s Mbit/s (%s at its fastest)".formatted(model.mbps(), model.name()));
    return model.mbps();
  }

  private static XmlElement element(
      String name, Map<String, String> attributes, List<XmlNode> children) {
    return new XmlElement(name, attributes, children, NOWHERE);
  }
}
