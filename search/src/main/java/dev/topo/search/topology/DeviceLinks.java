package dev.topo.search.topology;

import dev.topo.model.BusId;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Node.NvsNode;
import dev.topo.model.PathType;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.Attributes;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.TopologyRules.LinkBandwidths;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Connects devices beyond the PCI tree: NVLinks, C2C links, links between PCI switches, in this
 * order ({@code ncclTopoAddNvLinks}, {@code ncclTopoAddC2c}, {@code ncclTopoAddPciLinks}, {@code
 * nccl:src/graph/topo.cc}). Used once.
 */
final class DeviceLinks {
  /** More parallel links than any device has; beyond it NCCL's numbers overflow. */
  private static final int MAX_LINKS = 256;

  /** A thousand times what a C2C link carries today. */
  private static final int MAX_C2C_MBPS = 1 << 22;

  private final XmlElement system;
  private final JobDevices devices;
  private final TopologyBuilder builder;
  private final LinkBandwidths bandwidths;
  private final Diagnostics diagnostics;
  private final ToIntFunction<XmlElement> systemId;
  private final List<OneWay> oneWays = new ArrayList<>();

  DeviceLinks(
      XmlElement system,
      JobDevices devices,
      TopologyBuilder builder,
      Diagnostics diagnostics,
      ToIntFunction<XmlElement> systemId) {
    this.system = system;
    this.devices = devices;
    this.builder = builder;
    this.bandwidths = builder.profile().links();
    this.diagnostics = diagnostics;
    this.systemId = systemId;
  }

  /** A link that the file lists at one end; NCCL needs it at the other end, too. */
  private record OneWay(Vertex from, Vertex to, LinkType type, XmlElement element) {}

  void connect() {
    for (Device device : devices("gpu")) {
      device.element.elements("nvlink").forEach(nvlink -> addNvlink(nvlink, device));
    }
    for (Device device : devices("gpu")) {
      device.element.elements("c2c").forEach(c2c -> addC2c(c2c, device));
    }
    boolean readsPciLinks = builder.profile().topology().readsPciLinks;
    devices("pcilink").forEach(readsPciLinks ? this::addPciLink : this::warnOfIgnored);
  }

  /** An element of a device with the vertex that its PCI function became. */
  private record Device(XmlElement element, Vertex vertex) {}

  /** The elements with this name in the job, in the order of the file. */
  private List<Device> devices(String name) {
    List<Device> found = new ArrayList<>();
    for (XmlElement cpu : system.elements("cpu")) {
      if (devices.isUsed(cpu)) {
        collect(cpu, name, systemId.applyAsInt(cpu), found);
      }
    }
    return found;
  }

  private void collect(XmlElement parent, String name, int host, List<Device> found) {
    for (XmlElement pci : parent.elements("pci")) {
      for (XmlElement child : pci.elements(name)) {
        NodeType type = name.equals("gpu") ? NodeType.GPU : NodeType.PCI;
        BusId busId = new Attributes(pci).busId("busid");
        Vertex vertex = builder.find(type, new NodeId(host, busId.number()));
        if (vertex != null) {
          found.add(new Device(child, vertex));
        }
      }
      collect(pci, name, host, found);
    }
  }

  private void addNvlink(XmlElement element, Device device) {
    Attributes attributes = new Attributes(element);
    int count = attributes.count("count", MAX_LINKS);
    Vertex gpu = device.vertex;
    float bw = count * bandwidths.nvlink(((GpuNode) gpu.node()).sm());
    switch (PciClass.of(targetClass(attributes, gpu))) {
      case GPU -> {
        Vertex peer = target(attributes, gpu, NodeType.GPU);
        if (peer != null) {
          builder.connect(gpu, peer, LinkType.NVL, bw);
          if (count > 0) {
            oneWays.add(new OneWay(gpu, peer, LinkType.NVL, element));
          }
        }
      }
      case CPU -> {
        Vertex cpu = localCpu(element, gpu);
        if (cpu != null) {
          builder.connectBoth(gpu, cpu, LinkType.NVL, bw);
        }
      }
      default -> builder.connectBoth(gpu, nvSwitch(), LinkType.NVL, bw);
    }
  }

  /**
   * The PCI class of the other end of an NVLink. Where the file has none, NCCL queries the system;
   * here it is derived from the file.
   */
  private String targetClass(Attributes attributes, Vertex gpu) {
    if (attributes.has("tclass")) {
      return attributes.text("tclass");
    }
    boolean isGpu =
        BusId.isBusId(attributes.text("target")) && target(attributes, gpu, NodeType.GPU) != null;
    diagnostics.warn(
        "missing-tclass",
        attributes.location(),
        "<nvlink>: attribute tclass is missing, taken for " + (isGpu ? "a GPU" : "an NVSwitch"));
    return isGpu ? "0x03" : "0x068000";
  }

  private @Nullable Vertex target(Attributes attributes, Vertex from, NodeType type) {
    BusId busId = attributes.busId("target");
    return builder.find(type, new NodeId(from.node().id().systemId(), busId.number()));
  }

  private Vertex nvSwitch() {
    List<Vertex> switches = builder.vertices(NodeType.NVS);
    return switches.isEmpty() ? builder.add(new NvsNode(new NodeId(0, 0))) : switches.get(0);
  }

  private void addC2c(XmlElement element, Device device) {
    Attributes attributes = new Attributes(element);
    float bw =
        bandwidths.c2c(attributes.count("bw", MAX_C2C_MBPS), attributes.count("count", MAX_LINKS));
    Vertex cpu = localCpu(element, device.vertex);
    if (cpu != null) {
      LinkType type = builder.profile().paths().has(PathType.C2C) ? LinkType.C2C : LinkType.NVL;
      builder.connectBoth(device.vertex, cpu, type, bw);
    }
  }

  private @Nullable Vertex localCpu(XmlElement element, Vertex gpu) {
    try {
      return builder.localCpu(gpu);
    } catch (IllegalStateException e) {
      throw new TopologyFormatException(
          element.location(), "<" + element.name() + ">: " + e.getMessage(), e);
    }
  }

  private void warnOfIgnored(Device device) {
    diagnostics.warn(
        "ignored-element",
        device.element.location(),
        "<%s>: NCCL %s ignores this element"
            .formatted(device.element.name(), builder.profile().version()));
  }

  private void addPciLink(Device device) {
    Vertex peer = target(new Attributes(device.element), device.vertex, NodeType.PCI);
    if (peer != null) {
      builder.connect(device.vertex, peer, LinkType.LOC, bandwidths.local());
      oneWays.add(new OneWay(device.vertex, peer, LinkType.LOC, device.element));
    }
  }

  /**
   * NCCL fails with an internal error where a link has no counterpart ({@code ncclTopoSetPaths}),
   * once switches have been joined.
   */
  void rejectOneSided() {
    for (OneWay oneWay : oneWays) {
      if (builder.isLinked(oneWay.from, oneWay.to, oneWay.type)
          && !builder.isLinked(oneWay.to, oneWay.from, oneWay.type)) {
        throw oneWay.element.error(
            "%s lists a link to %s but not the other way round, expected it at both ends (NCCL fails with an internal error)"
                .formatted(oneWay.from.node().label(), oneWay.to.node().label()));
      }
    }
  }
}
