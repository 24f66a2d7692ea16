package dev.topo.search.topology;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.BusId;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Node.NvsNode;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.Attributes;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.TopologyRules.LinkBandwidths;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs of a file that take part in the job and the network ports, with their numbers; those
 * that the file lacks are set as NCCL would at run time. Ranks are in the order of {@code rank},
 * else of {@code dev}, else of the file; a GPU's missing {@code dev} is its {@code rank}, else its
 * index among the GPUs, a port's its index among the ports.
 */
final class JobDevices {
  /** Larger than any device number. */
  private static final int MAX_DEV = 1 << 20;

  record GpuNumbers(int dev, int rank) {}

  private final IdentityHashMap<XmlElement, GpuNumbers> gpus = new IdentityHashMap<>();
  private final IdentityHashMap<XmlElement, Integer> nets = new IdentityHashMap<>();
  private final List<Integer> netDevs = new ArrayList<>();
  private final Set<XmlElement> used = Collections.newSetFromMap(new IdentityHashMap<>());

  private JobDevices() {}

  /** Finds the devices below a {@code <system>} element. */
  static JobDevices find(XmlElement system, GpuSelection selection) {
    List<XmlElement> gpuElements = new ArrayList<>();
    List<XmlElement> netElements = new ArrayList<>();
    collect(system, gpuElements, netElements);
    JobDevices devices = new JobDevices();
    devices.numberGpus(gpuElements, selection, system);
    devices.numberNets(netElements);
    devices.findUsed(system, false);
    return devices;
  }

  /** The devices that a rank keeps of its host: its GPU and all ports. */
  JobDevices seenBy(XmlElement gpu, int rank, XmlElement host) {
    JobDevices ofRank = new JobDevices();
    ofRank.gpus.put(gpu, new GpuNumbers(Objects.requireNonNull(gpus.get(gpu)).dev, rank));
    ofRank.nets.putAll(nets);
    ofRank.findUsed(host, false);
    return ofRank;
  }

  /**
   * Finds the used elements at and below an element: devices of the job, and branches that the file
   * marks to be kept with their content. The mark has no effect on GPUs and ports.
   */
  private boolean findUsed(XmlElement element, boolean isKept) {
    boolean isDevice = element.name().equals("gpu") || element.name().equals("net");
    boolean keep = isKept || (!isDevice && element.attribute("keep").equals(Optional.of("1")));
    boolean isUsed = keep || gpus.containsKey(element) || nets.containsKey(element);
    for (XmlElement child : element.elements()) {
      isUsed |= findUsed(child, keep);
    }
    if (isUsed) {
      used.add(element);
    }
    return isUsed;
  }

  /** Collects the GPUs, one per PCI device, and the ports, both only where NCCL reads them. */
  private static void collect(XmlElement element, List<XmlElement> gpus, List<XmlElement> nets) {
    boolean hasGpu = false;
    for (XmlElement child : element.elements()) {
      if (Vocabulary.TOPOLOGY.isReadInside(element.name(), child.name())) {
        switch (child.name()) {
          case "gpu" -> {
            if (!hasGpu) {
              gpus.add(child);
            }
            hasGpu = true;
          }
          case "net" -> nets.add(child);
          default -> collect(child, gpus, nets);
        }
      }
    }
  }

  private record Candidate(XmlElement element, int dev, int statedRank) {}

  private void numberGpus(List<XmlElement> elements, GpuSelection selection, XmlElement system) {
    List<Candidate> candidates = new ArrayList<>();
    Set<Integer> devs = new TreeSet<>();
    for (int i = 0; i < elements.size(); i++) {
      Attributes attributes = new Attributes(elements.get(i));
      int dev =
          attributes.has("dev") ? attributes.count("dev", MAX_DEV) : attributes.integer("rank", i);
      devs.add(dev);
      if (selection.contains(dev)) {
        candidates.add(new Candidate(elements.get(i), dev, attributes.integer("rank", -1)));
      }
    }
    for (int dev : selection.devs().orElse(Set.of())) {
      if (!devs.contains(dev)) {
        throw system.error("no gpu has dev=\"" + dev + "\", expected one of " + devs);
      }
    }
    candidates.sort(Comparator.comparingInt(order(candidates)));
    for (int rank = 0; rank < candidates.size(); rank++) {
      gpus.put(candidates.get(rank).element, new GpuNumbers(candidates.get(rank).dev, rank));
    }
  }

  private static ToIntFunction<Candidate> order(List<Candidate> candidates) {
    boolean allRanked = candidates.stream().allMatch(c -> c.statedRank >= 0);
    if (allRanked) {
      rejectEqualRanks(candidates);
      return Candidate::statedRank;
    }
    return Candidate::dev;
  }

  private static void rejectEqualRanks(List<Candidate> candidates) {
    Map<Integer, XmlElement> byRank = new HashMap<>();
    for (Candidate candidate : candidates) {
      XmlElement earlier = byRank.put(candidate.statedRank, candidate.element);
      if (earlier != null) {
        throw candidate.element.error(
            "attribute rank=\"%s\" is also that of the gpu %s, expected a rank of its own"
                .formatted(
                    candidate.statedRank, place(earlier.location(), candidate.element.location())));
      }
    }
  }

  static String place(SourceLocation location, SourceLocation from) {
    return location.file().equals(from.file()) ? "in line " + location.line() : "at " + location;
  }

  private void numberNets(List<XmlElement> elements) {
    for (int i = 0; i < elements.size(); i++) {
      Attributes attributes = new Attributes(elements.get(i));
      int dev = attributes.has("dev") ? attributes.count("dev", MAX_DEV) : i;
      nets.put(elements.get(i), dev);
      netDevs.add(dev);
    }
  }

  /** The device numbers of the ports, in their order in the file. */
  List<Integer> netDevs() {
    return List.copyOf(netDevs);
  }

  /** The numbers of a GPU; null if it is not in the job. */
  @Nullable GpuNumbers gpu(XmlElement element) {
    return gpus.get(element);
  }

  /** The GPU with a device number. */
  XmlElement gpuWithDev(int dev) {
    return gpus.entrySet().stream()
        .filter(entry -> entry.getValue().dev == dev)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  /** The device number of a port; -1 for an unknown one. */
  int netDev(XmlElement element) {
    Integer dev = nets.get(element);
    return dev == null ? -1 : dev;
  }

  /** Elements of the GPUs in the job, in the order of their ranks. */
  List<XmlElement> gpusByRank() {
    return gpus.entrySet().stream()
        .sorted(Comparator.comparingInt(entry -> entry.getValue().rank()))
        .map(Map.Entry::getKey)
        .toList();
  }

  boolean hasNoGpu() {
    return gpus.isEmpty();
  }

  /**
   * True if a device of the job is at or below an element, or the file marks it to be kept; NCCL
   * drops other branches ({@code ncclTopoTrimXml}).
   */
  boolean isUsed(XmlElement element) {
    return used.contains(element);
  }

  /**
   * Connects devices beyond the PCI tree: NVLinks, C2C links, links between PCI switches, in this
   * order ({@code ncclTopoAddNvLinks}, {@code ncclTopoAddC2c}, {@code ncclTopoAddPciLinks}, {@code
   * nccl:src/graph/topo.cc}). Used once.
   */
  static final class DeviceLinks {
    /** Above any real number of parallel links; larger values would overflow in NCCL. */
    private static final int MAX_LINKS = 256;

    /** About nine times the C2C bandwidth of today's GPUs, 447,000 MB/s. */
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

    /** An element of a device with the vertex of its PCI function. */
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
     * The PCI class of the other end of an NVLink. Where the file has none, NCCL queries the
     * system; here it is derived from the file.
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
      return builder.find(type, new NodeId(from.node().systemId(), busId.number()));
    }

    private Vertex nvSwitch() {
      List<Vertex> switches = builder.vertices(NodeType.NVS);
      return switches.isEmpty() ? builder.add(new NvsNode(new NodeId(0, 0))) : switches.get(0);
    }

    private void addC2c(XmlElement element, Device device) {
      Attributes attributes = new Attributes(element);
      float bw =
          bandwidths.c2c(
              attributes.count("bw", MAX_C2C_MBPS), attributes.count("count", MAX_LINKS));
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
     * Rejects links without a counterpart, for which NCCL fails with an internal error ({@code
     * ncclTopoSetPaths}). To be called after switches have been joined.
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
}
