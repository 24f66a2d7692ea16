package dev.topo.hw.foreign;

import dev.topo.hw.probe.BusIds;
import dev.topo.model.Node.BusId;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The PCI devices of a topology file that can be GPUs and network cards, identified by class as in
 * NCCL ({@code kvDictPciClass}, {@code nccl:src/graph/topo.cc}), in the order of their bus ids.
 *
 * @param nics the first functions of the network cards
 * @param functions how many functions of each card there are, by the bus id of the first
 */
record DeviceSlots(List<XmlElement> gpus, List<XmlElement> nics, Map<String, Integer> functions) {
  /** NVIDIA, and what operators of virtual machines write for a device that has no number. */
  private static final Set<String> GPU_VENDORS = Set.of("0x10de", "0x0000", "");

  /** Cards of virtio, which carry no RDMA. */
  private static final String VIRTIO = "0x1af4";

  DeviceSlots {
    gpus = List.copyOf(gpus);
    nics = List.copyOf(nics);
    functions = Map.copyOf(functions);
  }

  /**
   * The places in a file.
   *
   * @throws TopologyFormatException if a device has no class, or a bus id that NCCL would not find
   */
  static DeviceSlots find(XmlElement system) {
    List<XmlElement> gpus = new ArrayList<>();
    List<XmlElement> nics = new ArrayList<>();
    List<XmlElement> unknown = new ArrayList<>();
    collect(system, gpus, nics, unknown);
    if (!unknown.isEmpty()) {
      XmlElement first = unknown.get(0);
      throw new TopologyFormatException(
          first.location(),
          ("<pci busid=\"%s\">%s: has no class and nothing below it, so its kind is unknown,"
                  + " expected class=\"0x030200\" of a GPU, 0x020000 or 0x020700 of a network card")
              .formatted(
                  busId(first),
                  unknown.size() == 1 ? "" : " and " + (unknown.size() - 1) + " more"));
    }
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

  static String busId(XmlElement pci) {
    return pci.attribute("busid").orElse("");
  }

  private static void collect(
      XmlElement element, List<XmlElement> gpus, List<XmlElement> nics, List<XmlElement> unknown) {
    for (XmlElement child : element.elements()) {
      if (!child.name().equals("pci")) {
        if (child.name().equals("cpu")) {
          collect(child, gpus, nics, unknown);
        }
        continue;
      }
      String pciClass = child.attribute("class").orElse("");
      String vendor = child.attribute("vendor").orElse("");
      boolean hasGpu = !child.elements("gpu").isEmpty();
      boolean hasNic = !child.elements("nic").isEmpty();
      boolean isEnd = child.elements("pci").isEmpty();
      if (hasGpu
          || (isEnd && PciClass.of(pciClass) == PciClass.GPU && GPU_VENDORS.contains(vendor))) {
        addFirst(gpus, withUsableBusId(child));
      } else if (hasNic
          || (isEnd && PciClass.of(pciClass) == PciClass.NIC && !vendor.equals(VIRTIO))) {
        addFirst(nics, withUsableBusId(child));
      } else if (pciClass.isEmpty() && child.elements().isEmpty()) {
        unknown.add(child);
      }
      collect(child, gpus, nics, unknown);
    }
  }

  /** NCCL finds the first element with a bus id. */
  private static void addFirst(List<XmlElement> found, XmlElement pci) {
    if (found.stream().noneMatch(other -> busId(other).equals(busId(pci)))) {
      found.add(pci);
    }
  }

  private static XmlElement withUsableBusId(XmlElement pci) {
    String busId = busId(pci);
    if (!BusId.isBusId(busId) || !BusIds.normal(busId).equals(busId)) {
      throw new TopologyFormatException(
          pci.location(),
          ("<pci>: attribute busid=\"%s\" is not written as NCCL writes it, so NCCL would not find"
                  + " the device here, expected one as 0000:1b:00.0")
              .formatted(busId));
    }
    return pci;
  }
}
