package dev.topo.hw.foreign;

import dev.topo.hw.probe.BusIds;
import dev.topo.model.Node.BusId;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlTree;
import dev.topo.model.xml.XmlTreeNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * PCI devices of a topology file that are, or can become, GPUs and network cards, identified by
 * class as in NCCL ({@code kvDictPciClass}, {@code nccl:src/graph/topo.cc}), in the order of their
 * bus ids.
 *
 * @param nics first functions of the network cards
 * @param functions number of functions of each card, by the bus id of the first
 */
record DeviceSlots(List<XmlElement> gpus, List<XmlElement> nics, Map<String, Integer> functions) {
  /** Vendor ids of GPUs: NVIDIA's, and placeholders of virtual machine operators. */
  private static final Set<String> GPU_VENDORS = Set.of("0x10de", "0x0000", "");

  /** Vendor id of virtio cards, which carry no RDMA. */
  private static final String VIRTIO = "0x1af4";

  DeviceSlots {
    gpus = List.copyOf(gpus);
    nics = List.copyOf(nics);
    functions = Map.copyOf(functions);
  }

  /**
   * Devices in a file.
   *
   * @throws TopologyFormatException if a device has a bus id that NCCL would not find
   */
  static DeviceSlots find(XmlElement system) {
    List<XmlElement> gpus = new ArrayList<>();
    List<XmlElement> nics = new ArrayList<>();
    collect(system, gpus, nics);
    Comparator<XmlElement> byBusId =
        Comparator.comparingLong(pci -> new BusId(busId(pci)).number());
    gpus.sort(byBusId);
    nics.sort(byBusId);
    Map<String, Integer> functions = new LinkedHashMap<>();
    List<XmlElement> cards = new ArrayList<>();
    for (XmlElement nic : nics) {
      String first = busId(nic).replaceFirst(".$", "0");
      if (functions.containsKey(first)) {
        functions.merge(first, 1, Integer::sum);
      } else {
        functions.put(busId(nic), 1);
        cards.add(nic);
      }
    }
    return new DeviceSlots(gpus, cards, functions);
  }

  /**
   * Adds a class to devices without one, which NCCL would read from the machine. The same number of
   * devices below each CPU are taken for GPUs and the others for network cards; if the file already
   * states a GPU, all are taken for network cards.
   *
   * @return the assumptions in words; empty if all devices have a class
   */
  static String addClasses(XmlTree tree, int gpus) {
    List<XmlTreeNode> all = tree.all("pci");
    List<List<XmlTreeNode>> byCpu = new ArrayList<>();
    for (XmlTreeNode cpu : tree.all("cpu")) {
      byCpu.add(
          all.stream()
              .filter(pci -> pci.isWithin(cpu) && pci.children().isEmpty())
              .filter(pci -> pci.value("class").isEmpty())
              .toList());
    }
    byCpu.removeIf(List::isEmpty);
    boolean hasGpu = all.stream().anyMatch(pci -> PciClass.of(pci.value("class")) == PciClass.GPU);
    int maxPerCpu = hasGpu ? 0 : byCpu.stream().mapToInt(List::size).min().orElse(0);
    int nGpus = 0;
    for (List<XmlTreeNode> devices : byCpu) {
      int count = Math.min(maxPerCpu, gpus - nGpus);
      for (int i = 0; i < devices.size(); i++) {
        devices.get(i).set("class", i < count ? "0x030200" : "0x020000");
      }
      nGpus += count;
    }
    return byCpu.isEmpty()
        ? ""
        : nGpus + " PCI devices without class as GPUs, others as network cards";
  }

  static String busId(XmlElement pci) {
    return pci.value("busid");
  }

  private static void collect(XmlElement element, List<XmlElement> gpus, List<XmlElement> nics) {
    for (XmlElement child : element.elements()) {
      if (!child.name().equals("pci")) {
        if (child.name().equals("cpu")) {
          collect(child, gpus, nics);
        }
        continue;
      }
      String pciClass = child.value("class");
      String vendor = child.value("vendor");
      boolean hasGpu = !child.elements("gpu").isEmpty();
      boolean hasNic = !child.elements("nic").isEmpty();
      boolean isLeaf = child.elements("pci").isEmpty();
      if (hasGpu
          || (isLeaf && PciClass.of(pciClass) == PciClass.GPU && GPU_VENDORS.contains(vendor))) {
        addFirst(gpus, withUsableBusId(child));
      } else if (hasNic
          || (isLeaf && PciClass.of(pciClass) == PciClass.NIC && !vendor.equals(VIRTIO))) {
        addFirst(nics, withUsableBusId(child));
      }
      collect(child, gpus, nics);
    }
  }

  /**
   * Adds a device unless one with its bus id is present: NCCL uses the first element with a bus id.
   */
  private static void addFirst(List<XmlElement> found, XmlElement pci) {
    if (found.stream().noneMatch(other -> busId(other).equals(busId(pci)))) {
      found.add(pci);
    }
  }

  private static XmlElement withUsableBusId(XmlElement pci) {
    String busId = busId(pci);
    if (!BusId.isBusId(busId) || !BusIds.normal(busId).equals(busId)) {
      throw pci.error(
          ("attribute busid=\"%s\" is not written as NCCL writes it, so NCCL would not find"
                  + " the device here, expected one as 0000:1b:00.0")
              .formatted(busId));
    }
    return pci;
  }
}
