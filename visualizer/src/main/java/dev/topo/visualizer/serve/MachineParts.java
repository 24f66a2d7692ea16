package dev.topo.visualizer.serve;

import dev.topo.model.CpuPreset;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NicNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Node.PciNode;
import dev.topo.model.Topology;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.visualizer.drawing.Edge;
import dev.topo.visualizer.drawing.MachineControls.Control;
import dev.topo.visualizer.drawing.NodeLabels;
import dev.topo.visualizer.serve.DrawnPart.PartEdit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The devices and links of a machine with the edits that each offers. Every offered edit can be
 * applied on its own; its effect on NCCL is not known here.
 */
final class MachineParts {
  /** Rates of Ethernet and InfiniBand in Mb/s. */
  private static final List<Integer> SPEEDS = List.of(25_000, 100_000, 200_000, 400_000, 800_000);

  /** PCI link widths in lanes. */
  private static final List<Integer> WIDTHS = List.of(16, 8, 4);

  private static final double MBPS_PER_GBPS = 8000;

  private final Topology topology;
  private final DeviceElements elements;
  private final PartNaming names;
  private final boolean isDomain;

  /** The device above each device in its PCI tree. */
  private final Map<Integer, Integer> parents = new HashMap<>();

  private final Map<String, DrawnPart> parts = new LinkedHashMap<>();

  /**
   * Creates the parts of a machine; {@link #find} fills them in.
   *
   * @param system the XML content from which the topology was built
   * @param isDomain whether it is an NVLink domain of several hosts
   */
  MachineParts(Topology topology, XmlElement system, boolean isDomain) {
    this.topology = topology;
    this.elements = new DeviceElements(system);
    this.names = new PartNaming(topology, elements, isDomain);
    this.isDomain = isDomain;
  }

  /** Finds the parts that are drawn. */
  MachineParts find(IntPredicate isDrawn) {
    findParents();
    for (int node = 0; node < topology.size(); node++) {
      int device = node;
      if (isDrawn.test(node)) {
        names.name(node).ifPresent(name -> put(name, title(device), device(device, name)));
      }
    }
    Edge.of(topology).stream()
        .filter(edge -> isDrawn.test(edge.a()) && isDrawn.test(edge.b()))
        .forEach(edge -> link(edge).ifPresent(name -> put(name, title(edge), edits(edge))));
    return this;
  }

  private void put(String name, String title, List<PartEdit> edits) {
    if (!edits.isEmpty()) {
      parts.putIfAbsent(name, new DrawnPart(name, title, edits));
    }
  }

  /** All parts that offer an edit, devices first. */
  List<DrawnPart> all() {
    return List.copyOf(parts.values());
  }

  /** The control for a device on the drawing. */
  Control device(int node, PartFacts facts) {
    Optional<String> name = names.name(node).filter(parts::containsKey);
    return new Control(
        name.orElseGet(() -> topology.node(node).label()),
        title(node) + facts.ofDevice(node),
        name.isPresent());
  }

  /** The control for a link on the drawing. */
  Control line(Edge edge, PartFacts facts) {
    Optional<String> name = link(edge).filter(parts::containsKey);
    return new Control(
        name.orElseGet(
            () ->
                "%s to %s %s"
                    .formatted(
                        topology.node(edge.a()).label(),
                        topology.node(edge.b()).label(),
                        edge.type())),
        title(edge) + facts.ofLink(edge),
        name.isPresent());
  }

  private void findParents() {
    Deque<Integer> next = new ArrayDeque<>();
    for (int cpu : topology.indexes(NodeType.CPU)) {
      next.add(cpu);
    }
    while (!next.isEmpty()) {
      int parent = next.remove();
      for (Link link : topology.links(parent)) {
        boolean isChild =
            link.type() == LinkType.PCI
                && topology.node(link.to()).type() != NodeType.CPU
                && !parents.containsKey(link.to());
        if (isChild) {
          parents.put(link.to(), parent);
          next.add(link.to());
        }
      }
    }
  }

  private String title(int node) {
    String facts = NodeLabels.facts(topology.node(node));
    List<NetNode> ports =
        topology.node(node).type() == NodeType.NIC ? names.ports(node) : List.of();
    return Stream.concat(
            Stream.of(topology.node(node).label(), facts),
            ports.stream().map(port -> port.name() + " " + NodeLabels.facts(port)))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private String title(Edge edge) {
    return "%s to %s, %s, %s GB/s"
        .formatted(
            topology.node(edge.a()).label(),
            topology.node(edge.b()).label(),
            edge.type(),
            edge.text());
  }

  private List<PartEdit> device(int node, String name) {
    Node device = topology.node(node);
    List<PartEdit> edits = new ArrayList<>();
    if (device instanceof GpuNode gpu) {
      edits.addAll(removal(node, name));
      edits.add(gdr(name, gpu.gdr()));
    } else if (device instanceof NicNode) {
      List<NetNode> ports = names.ports(node);
      edits.addAll(removal(node, name));
      for (int speed : SPEEDS) {
        if (ports.stream().anyMatch(port -> Math.round(port.bwGBps() * MBPS_PER_GBPS) != speed)) {
          edits.add(new PartEdit("Speed " + speed / 1000 + " Gb/s", name + ".speed=" + speed));
        }
      }
      edits.add(gdr(name, ports.stream().allMatch(NetNode::gdr)));
    } else if (device instanceof PciNode) {
      edits.add(addition(name));
    } else if (device instanceof CpuNode cpu) {
      edits.add(addition(name));
      CpuPreset.all().stream()
          .filter(preset -> cpu.arch().xmlName().equals(preset.attributes().get("arch")))
          .map(CpuPreset::word)
          .forEach(word -> edits.add(new PartEdit("CPU as " + word, name + " as " + word)));
      return edits;
    }
    edits.addAll(widths(node, name));
    edits.addAll(moves(node, name));
    return edits;
  }

  private static PartEdit gdr(String name, boolean has) {
    return has
        ? new PartEdit("Without GPUDirect RDMA", name + ".gdr=0")
        : new PartEdit("With GPUDirect RDMA", name + ".gdr=1");
  }

  private PartEdit addition(String name) {
    String port = names.nextPort();
    boolean hasPort = topology.indexes(NodeType.NET).length > 0;
    String host = isDomain ? name.replaceFirst("^\\w+:(\\d+-).*", "$1") : "";
    return new PartEdit(
        "Add a NIC " + port,
        "add net:%s%s to %s%s".formatted(host, port, name, hasPort ? "" : " speed=400000"));
  }

  private List<PartEdit> removal(int node, String name) {
    return isDomain
        ? List.of(
            new PartEdit("Remove on this host", "remove " + name),
            new PartEdit(
                "Remove on every host", "remove " + names.nameOnAllHosts(node).orElseThrow()))
        : List.of(new PartEdit("Remove", "remove " + name));
  }

  private List<PartEdit> widths(int node, String name) {
    OptionalInt now = elements.width(topology.node(node).id());
    return now.isEmpty()
        ? List.of()
        : WIDTHS.stream()
            .filter(width -> width != now.getAsInt())
            .map(width -> new PartEdit("PCI link x" + width, name + ".link_width=" + width))
            .toList();
  }

  /** Edits that move a device to each other switch and CPU of its host, except those below it. */
  private List<PartEdit> moves(int node, String name) {
    if (elements.busId(topology.node(node).id()).isEmpty() || !parents.containsKey(node)) {
      return List.of();
    }
    List<PartEdit> moves = new ArrayList<>();
    for (NodeType type : List.of(NodeType.PCI, NodeType.CPU)) {
      for (int place : topology.indexes(type)) {
        boolean isOnSameHost = topology.node(place).systemId() == topology.node(node).systemId();
        if (isOnSameHost && !isAbove(node, place) && parents.get(node) != place) {
          names
              .name(place)
              .ifPresent(
                  to -> moves.add(new PartEdit("Move to " + to, "move " + name + " to " + to, to)));
        }
      }
    }
    return moves;
  }

  /** True if {@code node} is {@code below} or above it in the PCI tree. */
  private boolean isAbove(int node, int below) {
    Optional<Integer> ancestor = Optional.of(below);
    while (ancestor.isPresent() && ancestor.get() != node) {
      ancestor = Optional.ofNullable(parents.get(ancestor.get()));
    }
    return ancestor.isPresent();
  }

  /** The name of a link that edits can change: a PCI link or NVLinks; otherwise empty. */
  private Optional<String> link(Edge edge) {
    if (edge.type() == LinkType.PCI) {
      return child(edge).flatMap(names::name).map(name -> "link of " + name);
    }
    return edge.type() == LinkType.NVL ? nvlinks(edge) : Optional.empty();
  }

  private Optional<Integer> child(Edge edge) {
    return Stream.of(edge.a(), edge.b())
        .filter(node -> parents.containsKey(node) && parents.get(node) == edge.other(node))
        .findFirst();
  }

  /**
   * The name of NVLinks: {@code nvlink:0-3} between GPUs, {@code nvlink:0} to an NVSwitch, which
   * covers every host of a domain.
   */
  private Optional<String> nvlinks(Edge edge) {
    List<String> ends =
        Stream.of(edge.a(), edge.b())
            .filter(node -> topology.node(node) instanceof GpuNode)
            .map(node -> String.valueOf(((GpuNode) topology.node(node)).dev()))
            .toList();
    return ends.isEmpty() || isDomain && ends.size() > 1
        ? Optional.empty()
        : Optional.of("nvlink:" + String.join("-", ends));
  }

  private List<PartEdit> edits(Edge edge) {
    if (edge.type() == LinkType.PCI) {
      return child(edge)
          .map(node -> names.name(node).map(name -> widths(node, name)).orElse(List.of()))
          .orElse(List.of());
    }
    String name = nvlinks(edge).orElseThrow();
    int gpu = topology.node(edge.a()) instanceof GpuNode ? edge.a() : edge.b();
    OptionalInt count = elements.nvlinks(topology.node(gpu).id());
    List<PartEdit> edits = new ArrayList<>();
    if (count.isPresent() && count.getAsInt() > 1) {
      int half = count.getAsInt() / 2;
      edits.add(
          new PartEdit(
              "%s NVLinks instead of %s%s"
                  .formatted(half, count.getAsInt(), isDomain ? " on every host" : ""),
              name + ".count=" + half));
    }
    edits.add(new PartEdit("Remove these NVLinks", "remove " + name));
    return edits;
  }
}
