package dev.topo.search.topology;

import dev.topo.model.CpuModel;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node;
import dev.topo.model.Node.BusId;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NicNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Node.PciNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.Attributes;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules;
import dev.topo.search.rules.TopologyRules.NumaIds;
import dev.topo.search.topology.JobDevices.DeviceLinks;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Maps the tree of one {@code <system>} to a topology, nodes first, links between devices second
 * ({@code ncclTopoGetSystemFromXml}, {@code nccl:src/graph/topo.cc}). Used once.
 */
final class SystemMapper {

  /** Above the lanes of any PCI link; larger values would overflow in NCCL. */
  private static final int MAX_LINK_WIDTH = 256;

  /** The bits of the PCI function in the id of a device. */
  private static final long PCI_FUNCTION = 0xf;

  /** The bits of a GPU's id that hold its partition ({@code NCCL_TOPO_MLOPART_MASK}). */
  private static final long MLOPART_BITS = 0x3;

  private final XmlElement system;
  private final JobDevices devices;
  private final Diagnostics diagnostics;
  private final NcclProfile profile;
  private final TopologyBuilder builder;
  private final Map<Long, Integer> hosts = new LinkedHashMap<>();
  private final Map<XmlElement, Integer> hostOfCpu = new IdentityHashMap<>();
  private final Map<NodeId, XmlElement> gpuOfDev = new HashMap<>();

  SystemMapper(
      XmlElement system, JobDevices devices, Diagnostics diagnostics, NcclProfile profile) {
    this.system = system;
    this.devices = devices;
    this.diagnostics = diagnostics;
    this.profile = profile;
    this.builder = new TopologyBuilder(profile);
  }

  Topology map() {
    try {
      for (XmlElement cpu : system.elements("cpu")) {
        if (devices.isUsed(cpu)) {
          addCpu(cpu);
        }
      }
      requireEveryGpu();
      DeviceLinks links = new DeviceLinks(system, devices, builder, diagnostics, this::systemId);
      links.connect();
      builder.flattenBroadcomSwitches();
      links.rejectOneSided();
      builder.connectCpus();
      builder.orderForTraversal();
    } catch (IllegalStateException e) {
      throw new TopologyFormatException(
          system.location(), "<system>: " + e.getMessage() + ": NCCL fails or crashes", e);
    }
    return builder.build();
  }

  /**
   * Rejects GPUs below an endpoint: NCCL does not find them and then misses a rank ({@code
   * ncclTopoRankToIndex}).
   */
  private void requireEveryGpu() {
    List<Integer> found =
        builder.vertices(NodeType.GPU).stream().map(gpu -> ((GpuNode) gpu.node()).rank()).toList();
    List<XmlElement> gpus = devices.gpusByRank();
    for (int rank = 0; rank < gpus.size(); rank++) {
      if (!found.contains(rank)) {
        throw gpus.get(rank)
            .error(
                "is below an endpoint, where NCCL does not find it and then fails: expected it below bridges (class 0x060400) only");
      }
    }
  }

  /**
   * Index of the host of a CPU, in the order of the hosts in the file. A CPU without {@code
   * host_hash} is on the first host.
   */
  private int systemId(XmlElement cpu) {
    return hostOfCpu.computeIfAbsent(cpu, this::newSystemId);
  }

  private int newSystemId(XmlElement cpu) {
    Attributes attributes = new Attributes(cpu);
    if (!attributes.has("host_hash")) {
      return 0;
    }
    long hash = attributes.leadingHex("host_hash", 0, diagnostics);
    if (hosts.size() == 1 && !hosts.containsKey(hash)) {
      diagnostics.note(
          "many-hosts",
          cpu.location(),
          "<cpu>: attribute host_hash=\"%s\" is that of another host than before; in NCCL_TOPO_FILE NCCL takes all CPUs for those of its own"
              .formatted(attributes.text("host_hash")));
    }
    return hosts.computeIfAbsent(hash, unseen -> hosts.size());
  }

  private void addCpu(XmlElement element) {
    Attributes attributes = new Attributes(element);
    int numaId = attributes.integer("numaid");
    int systemId = systemId(element);
    CpuArch arch = CpuArch.ofXmlName(attributes.text("arch"));
    CpuVendor vendor =
        arch == CpuArch.X86 ? CpuVendor.ofXmlName(attributes.text("vendor")) : CpuVendor.NONE;
    CpuModel model =
        switch (vendor) {
          case INTEL ->
              CpuModel.ofIntel(attributes.integer("familyid"), attributes.integer("modelid"));
          case AMD -> amd(attributes);
          case ZHAOXIN ->
              CpuModel.ofZhaoxin(attributes.integer("familyid"), attributes.integer("modelid"));
          default -> CpuModel.OTHER;
        };
    Vertex cpu =
        add(element, new CpuNode(cpuId(systemId, numaId), numaId, arch, vendor, model), "numaid");
    for (XmlElement child : element.elements()) {
      if (!devices.isUsed(child)) {
        continue;
      }
      switch (child.name()) {
        case "pci" -> addPci(child, cpu, systemId);
        case "nic" -> addVirtualNic(child, cpu, systemId);
        default -> {}
      }
    }
  }

  /** A family that NCCL does not read may be missing or not a number. */
  private CpuModel amd(Attributes attributes) {
    boolean isRead =
        profile.links().knowsAmd || attributes.text("familyid", "").matches("[1-9][0-9]{0,8}");
    return isRead ? CpuModel.ofAmd(attributes.integer("familyid")) : CpuModel.OTHER;
  }

  private NodeId cpuId(int systemId, int numaId) {
    if (profile.topology().numaIds != NumaIds.WITH_HOST) {
      return new NodeId(systemId, numaId);
    }
    long packed = new NodeId(systemId, 0).packed() + numaId;
    return new NodeId((int) (packed >> NodeId.LOCAL_BITS), packed);
  }

  /**
   * Ports without PCI device belong to one virtual card per host, which the CPU reaches at memory
   * speed.
   */
  private void addVirtualNic(XmlElement element, Vertex cpu, int systemId) {
    NodeId id = new NodeId(systemId, 0);
    Vertex nic = builder.find(NodeType.NIC, id);
    if (nic == null) {
      nic = add(element, new NicNode(id, false), "");
      builder.connectBoth(cpu, nic, LinkType.PCI, profile.links().local());
    }
    addNets(element, nic, systemId, 0);
  }

  private void addPci(XmlElement element, Vertex parent, int systemId) {
    Attributes attributes = new Attributes(element);
    PciClass pciClass = PciClass.of(attributes.text("class"));
    BusId busId = attributes.busId("busid");
    NodeId id = new NodeId(systemId, busId.number());
    Optional<XmlElement> gpu = element.elements("gpu").stream().findFirst();
    Optional<XmlElement> nic = element.elements("nic").stream().findFirst();
    Vertex vertex = null;
    if (gpu.isPresent()) {
      if (nic.isPresent()) {
        throw gpu.get().error("is in one <pci> with a <nic>, expected a <pci> for each device");
      }
      vertex = addGpu(gpu.get(), element, id, busId);
    } else if (nic.isPresent()) {
      vertex = addNic(nic.get(), element, id);
    } else if (pciClass == PciClass.PCI) {
      vertex = add(element, new PciNode(id, busId, pciDevice(attributes)), "busid");
      for (XmlElement child : element.elements("pci")) {
        if (devices.isUsed(child)) {
          addPci(child, vertex, systemId);
        }
      }
    } else {
      diagnostics.warn(
          "devices-below-endpoint",
          element.location(),
          "<pci>: NCCL ignores the devices below class=\"%s\", expected a bridge (0x060400)"
              .formatted(attributes.text("class")));
    }
    if (vertex != null) {
      builder.connectBoth(vertex, parent, LinkType.PCI, pciBandwidth(attributes));
    }
  }

  private float pciBandwidth(Attributes attributes) {
    String speed = attributes.text("link_speed");
    int width =
        attributes.text("link_width").isEmpty()
            ? 0
            : attributes.count("link_width", MAX_LINK_WIDTH);
    if (!speed.isEmpty() && !profile.links().isKnownPciSpeed(speed)) {
      diagnostics.warn(
          "unknown-link-speed",
          attributes.location(),
          "<pci>: attribute link_speed=\"%s\": NCCL does not know it and assumes 8.0 GT/s PCIe"
              .formatted(speed));
    }
    return profile.links().pci(speed, width);
  }

  private static long pciDevice(Attributes attributes) {
    return ((long) attributes.integer("vendor", 0) << 48)
        + ((long) attributes.integer("device", 0) << 32)
        + ((long) attributes.integer("subsystem_vendor", 0) << 16)
        + attributes.integer("subsystem_device", 0);
  }

  private @Nullable Vertex addGpu(XmlElement element, XmlElement pci, NodeId id, BusId busId) {
    JobDevices.GpuNumbers numbers = devices.gpu(element);
    if (numbers == null) {
      return null;
    }
    if ((busId.number() & MLOPART_BITS) != 0) {
      profile.failBy("gpu-function");
    }
    Attributes attributes = new Attributes(element);
    boolean isPart =
        profile.xml().readsFurther("gpu", "mlopart") && attributes.integer("mlopart", -1) >= 0;
    if (isPart || (profile.topology().readsAllGpus && pci.elements("gpu").size() > 1)) {
      throw UnusableTopologyException.withoutRules(
          "%s: each <gpu> of this <pci> is a rank to NCCL %s; ranks that share a GPU are not modelled"
              .formatted(element.location(), profile.version()));
    }
    XmlElement other = gpuOfDev.put(new NodeId(id.systemId(), numbers.dev()), element);
    if (other != null) {
      throw element.error(
          "attribute dev=\"%s\" is also that of the gpu %s, expected a device number of its own"
              .formatted(numbers.dev(), JobDevices.place(other.location(), element.location())));
    }
    boolean gdr = attributes.integer("gdr", 1) != 0;
    GpuNode gpu =
        new GpuNode(
            id,
            busId,
            numbers.dev(),
            numbers.rank(),
            attributes.integer("sm"),
            gdr,
            new Attributes(pci).text("device", "").toLowerCase(Locale.ROOT),
            isLinkStated(pci),
            attributes.text("p2p", ""));
    return add(element, gpu, "busid");
  }

  /**
   * Adds the card of a PCI function; null if the card exists already and is linked to its parent.
   */
  private @Nullable Vertex addNic(XmlElement element, XmlElement pci, NodeId id) {
    NodeId card =
        profile.topology().joinsNicFunctions
            ? new NodeId(id.systemId(), id.localId() & ~PCI_FUNCTION)
            : id;
    Vertex known = builder.find(NodeType.NIC, card);
    Vertex nic = known == null ? add(pci, new NicNode(card, isLinkStated(pci)), "busid") : known;
    addNets(element, nic, id.systemId(), pciModel(pci));
    return known == null ? nic : null;
  }

  private boolean isLinkStated(XmlElement pci) {
    Attributes attributes = new Attributes(pci);
    return profile.links().isKnownPciSpeed(attributes.text("link_speed"))
        && !attributes.text("link_width").isEmpty()
        && attributes.count("link_width", MAX_LINK_WIDTH) > 0;
  }

  /** Vendor and device of a port's PCI function, where the version reads them. */
  private int pciModel(XmlElement pci) {
    if (profile.paths().firstPort != PathRules.FirstPort.BY_MODEL) {
      return 0;
    }
    Attributes attributes = new Attributes(pci);
    return (attributes.integer("vendor", 0) << 16) + (attributes.integer("device", 0) & 0xffff);
  }

  private void addNets(XmlElement nicElement, Vertex nic, int systemId, int pciModel) {
    for (XmlElement element : nicElement.elements("net")) {
      if (isOtherUse(element)) {
        continue;
      }
      NetNode net = net(element, systemId, pciModel);
      if (builder.find(NodeType.NET, net.id()) != null) {
        diagnostics.warn(
            "equal-net-dev",
            element.location(),
            "<net>: attribute dev=\"%s\" is that of another port too; NCCL takes the two for one"
                .formatted(net.dev()));
      }
      builder.connectBoth(nic, builder.add(net), LinkType.NET, net.bwGBps());
    }
  }

  /** True if the element is a device of a NIC that is not for sending and receiving. */
  private boolean isOtherUse(XmlElement element) {
    return profile.xml().readsFurther("net", "net")
        && new Attributes(element).integer("net", 1) == 0;
  }

  private NetNode net(XmlElement element, int systemId, int pciModel) {
    Attributes attributes = new Attributes(element);
    int dev = devices.netDev(element);
    NodeId id = new NodeId(systemId, dev);
    int speed = attributes.integer("speed", 0);
    if (speed <= 0 && element.attribute("speed").isPresent()) {
      diagnostics.warn(
          "net-speed",
          element.location(),
          "<net>: attribute speed=\"%s\": NCCL counts such a port as 10000 Mb/s".formatted(speed));
    }
    return new NetNode(
        id,
        attributes.text("name", ""),
        dev,
        attributes.leadingHex("guid", id.packed(), diagnostics),
        attributes.integer("port", 0),
        profile.links().net(speed),
        attributes.decimal("latency", 0),
        attributes.integer("gdr", 0) != 0,
        attributes.integer("coll", 0) != 0,
        attributes.integer("maxconn", profile.xml().portConnections),
        place(attributes, "rail"),
        place(attributes, "plane"),
        pciModel);
  }

  /** The number of a rail or a plane, which NCCL stores in 16 bits; -1 for none. */
  private OptionalInt place(Attributes attributes, String name) {
    int number =
        profile.xml().readsFurther("net", name) ? (short) attributes.integer(name, -1) : -1;
    return number == -1 ? OptionalInt.empty() : OptionalInt.of(number);
  }

  /** Adds a node; {@code idAttribute} determines its id, which must be unique. */
  private Vertex add(XmlElement element, Node node, String idAttribute) {
    if (builder.find(node.type(), node.id()) != null) {
      throw element.error(
          "attribute %s makes a second %s, expected a value of its own"
              .formatted(idAttribute, node.label()));
    }
    try {
      return builder.add(node);
    } catch (IllegalStateException e) {
      throw new TopologyFormatException(
          element.location(), "<" + element.name() + ">: " + e.getMessage(), e);
    }
  }
}
