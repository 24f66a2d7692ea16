package dev.topo.search.topology;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlTree;
import dev.topo.model.xml.XmlTreeNode;
import dev.topo.search.topology.DeclaredTopology.Devices;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds the devices of a machine to the tree of a file, as NCCL does with detected devices. NCCL
 * reads the position of a device from sysfs, using every second PCI bridge; this class uses the
 * position in the file of the machine, which in a dump comes from sysfs. Used once.
 */
final class DeviceDetection {
  /** Attributes that NCCL takes from the machine for each CPU, whatever its number. */
  private static final List<String> CPU_KIND = List.of("arch", "vendor", "familyid", "modelid");

  private static final String KEEP = "keep";

  private final XmlElement machine;
  private final JobDevices devices;
  private final Map<XmlElement, XmlElement> parents = new IdentityHashMap<>();
  private final Map<String, XmlElement> pciByBusId = new HashMap<>();
  private final List<XmlElement> nets = new ArrayList<>();
  private final XmlTree tree;

  private final Set<XmlTreeNode> completedForGpus = identities();

  private final Set<XmlTreeNode> completedForPorts = identities();

  DeviceDetection(XmlElement file, XmlElement machine, GpuSelection selection) {
    this.machine = machine;
    this.devices = JobDevices.find(machine, selection);
    this.tree = XmlTree.of(file);
  }

  private static Set<XmlTreeNode> identities() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  DeclaredTopology detect() {
    read(machine);
    // NCCL sets the hash of its own host on every CPU.
    tree.all("cpu").forEach(cpu -> cpu.remove("host_hash"));
    List<XmlTreeNode> gpusOfFile = tree.all("gpu");
    List<XmlTreeNode> portsOfFile = tree.all("net");
    List<XmlElement> gpus = devices.gpusByRank();
    List<XmlTreeNode> detectedGpus = gpus.stream().map(this::gpu).toList();
    List<XmlTreeNode> detectedPorts = nets.stream().map(this::port).toList();
    boolean isUneven = isUneven(detectedGpus, detectedPorts);
    tree.trim(false);
    tree.system().all("gpu").stream()
        .filter(gpu -> !detectedGpus.contains(gpu))
        .findFirst()
        .ifPresent(this::reject);
    return new DeclaredTopology(
        tree.system().toElement(),
        machine.location().file(),
        new Devices(
            countWithout(detectedGpus, gpusOfFile), countWithout(detectedPorts, portsOfFile)),
        new Devices(
            countWithout(gpusOfFile, detectedGpus), countWithout(portsOfFile, detectedPorts)),
        isUneven);
  }

  /** A remaining GPU keeps the file's rank or has none: NCCL fails when it uses the GPU. */
  private void reject(XmlTreeNode gpu) {
    throw new TopologyFormatException(
        gpu.location(),
        "<gpu>: is not in %s, but NCCL keeps it for what is beside it or has keep=\"1\", and then fails: expected the GPUs of the machine"
            .formatted(machine.location().file()));
  }

  private static int countWithout(List<XmlTreeNode> nodes, List<XmlTreeNode> others) {
    return (int) nodes.stream().filter(node -> !others.contains(node)).count();
  }

  private void read(XmlElement element) {
    for (XmlElement child : element.elements()) {
      if (Vocabulary.TOPOLOGY.isReadInside(element.name(), child.name())) {
        parents.put(child, element);
        switch (child.name()) {
          case "pci" -> pciByBusId.putIfAbsent(busId(child), child);
          case "net" -> nets.add(child);
          default -> {}
        }
        read(child);
      }
    }
  }

  private static String busId(XmlElement pci) {
    return pci.value("busid").toLowerCase(Locale.ROOT);
  }

  private XmlElement parent(XmlElement element) {
    return Optional.ofNullable(parents.get(element))
        .orElseThrow(() -> element.error("is outside of the tree"));
  }

  /** The element of a GPU ({@code nccl:src/graph/xml.cc#ncclTopoFillGpu}). */
  private XmlTreeNode gpu(XmlElement found) {
    JobDevices.GpuNumbers numbers = devices.gpu(found);
    if (numbers == null) {
      throw found.error("does not take part");
    }
    XmlTreeNode pci = placed(busId(parent(found)), PciClass.GPU, completedForGpus);
    XmlTreeNode gpu = tree.childOrNew(pci, "gpu");
    gpu.setIfUnset("dev", numbers.dev());
    found.attributes().forEach(gpu::setIfUnset);
    gpu.set("rank", numbers.rank());
    for (String link : List.of("nvlink", "c2c")) {
      if (gpu.child(link).isEmpty()) {
        found.elements(link).forEach(element -> tree.copy(gpu, element));
      }
    }
    gpu.children("nvlink").forEach(link -> link.setIfUnset("tclass", classOf(link)));
    gpu.set(KEEP, "1");
    return gpu;
  }

  private String classOf(XmlTreeNode link) {
    return Optional.ofNullable(pciByBusId.get(link.value("target")))
        .flatMap(pci -> pci.attribute("class"))
        .orElse(PciClass.NVSWITCH.code());
  }

  /** The element of a port ({@code nccl:src/graph/xml.cc#ncclTopoFillNet}). */
  private XmlTreeNode port(XmlElement found) {
    String dev = String.valueOf(devices.netDev(found));
    String name = found.attribute("name").orElse("net" + dev);
    XmlTreeNode net = tree.find("net", "name", name).orElseGet(() -> added(found, name));
    net.set("dev", dev);
    found.attributes().forEach(net::setIfUnset);
    net.set(KEEP, "1");
    return net;
  }

  private XmlTreeNode added(XmlElement found, String name) {
    XmlElement place = parent(parent(found));
    XmlTreeNode parent =
        place.name().equals("pci")
            ? placed(busId(place), PciClass.NIC, completedForPorts)
            : tree.all("cpu").get(0);
    return tree.addPort(parent, name);
  }

  /** The element of a PCI device, complete and in its place. */
  private XmlTreeNode placed(String busId, PciClass classIfUnseen, Set<XmlTreeNode> completed) {
    XmlTreeNode pci = tree.pci(busId);
    pci.setIfUnset("class", classIfUnseen.code());
    complete(pci, completed);
    return pci;
  }

  /** As {@code nccl:src/graph/xml.cc#ncclTopoGetXmlFromSys}, up to the CPU. */
  private void complete(XmlTreeNode node, Set<XmlTreeNode> completed) {
    Map<String, String> before = Map.copyOf(node.attributes());
    if (node.is("cpu")) {
      completeCpu(node);
    } else if (node.is("pci")) {
      completePci(node);
    }
    if (completed == completedForPorts || !before.equals(node.attributes())) {
      completed.add(node);
    }
    node.parent().ifPresent(parent -> complete(parent, completed));
  }

  private void completePci(XmlTreeNode pci) {
    Optional<XmlElement> found = Optional.ofNullable(pciByBusId.get(pci.value("busid")));
    found
        .flatMap(seen -> seen.attribute("class"))
        .ifPresent(pciClass -> pci.set("class", pciClass));
    found.ifPresent(
        seen ->
            seen.attributes().entrySet().stream()
                .filter(attribute -> !attribute.getKey().equals(KEEP))
                .forEach(attribute -> pci.setIfUnset(attribute.getKey(), attribute.getValue())));
    pci.setIfUnset("link_speed", "");
    pci.setIfUnset("link_width", "");
    found.ifPresent(
        seen ->
            seen.elements("pcilink").stream()
                .filter(link -> pci.child("pcilink", "target", link.value("target")).isEmpty())
                .forEach(link -> tree.copy(pci, link)));
    if (pci.parent().isEmpty()) {
      found.ifPresent(seen -> tree.attach(place(parent(seen)), pci));
    }
  }

  private XmlTreeNode place(XmlElement above) {
    return above.name().equals("pci")
        ? tree.pci(busId(above))
        : cpu(above.attribute("numaid").orElse("-1"));
  }

  private XmlTreeNode cpu(String numaId) {
    return tree.system()
        .child("cpu", "numaid", numaId)
        .orElseGet(
            () -> {
              XmlTreeNode cpu = tree.add(tree.system(), "cpu");
              cpu.set("numaid", numaId);
              return cpu;
            });
  }

  private void completeCpu(XmlTreeNode cpu) {
    List<XmlElement> found = machine.elements("cpu");
    found.stream()
        .filter(seen -> seen.attribute("numaid").equals(cpu.attribute("numaid")))
        .findFirst()
        .flatMap(seen -> seen.attribute("affinity"))
        .ifPresent(affinity -> cpu.setIfUnset("affinity", affinity));
    CPU_KIND.forEach(
        kind -> found.get(0).attribute(kind).ifPresent(value -> cpu.setIfUnset(kind, value)));
  }

  /**
   * True if an element of the file is completed in the trees of some ranks only, while the trees of
   * others keep it incomplete for a port of the file.
   */
  private boolean isUneven(List<XmlTreeNode> gpus, List<XmlTreeNode> ports) {
    return completedForGpus.stream()
        .anyMatch(
            node ->
                !completedForPorts.contains(node)
                    && ports.stream().anyMatch(port -> port.isWithin(node))
                    && gpus.stream().anyMatch(gpu -> !gpu.isWithin(node)));
  }
}
