package dev.topo.inspect.guest;

import dev.topo.inspect.guest.PciFunction.Kind;
import dev.topo.model.Node.BusId;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.PciClass;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The PCI devices of a topology file. */
final class PciTree {
  private PciTree() {}

  /**
   * All PCI devices, in the order of the file.
   *
   * @throws TopologyFormatException if a bus id is malformed
   */
  static List<PciFunction> functions(XmlElement system) {
    List<PciFunction> found = new ArrayList<>();
    collect(system, found);
    return found;
  }

  private static void collect(XmlElement element, List<PciFunction> found) {
    for (XmlElement child : element.elements()) {
      if (child.name().equals("pci")) {
        found.add(
            new PciFunction(busId(child), kind(child), id(child, "vendor"), id(child, "device")));
      }
      if (child.name().equals("pci") || child.name().equals("cpu")) {
        collect(child, found);
      }
    }
  }

  /**
   * Bus id of a PCI device, as NCCL writes it.
   *
   * @throws TopologyFormatException if it is malformed
   */
  static String busId(XmlElement pci) {
    String busId = pci.attribute("busid").orElse("");
    if (!BusId.isBusId(busId)) {
      throw new TopologyFormatException(
          pci.location(),
          "<pci>: attribute busid=\"" + busId + "\", expected a PCI bus id such as 0000:1b:00.0");
    }
    return normal(busId);
  }

  /** Bus id as NCCL writes it; malformed text is unchanged. */
  static String normal(String busId) {
    return BusId.isBusId(busId) ? BusId.of(new BusId(busId).number()).text() : busId;
  }

  static Kind kind(XmlElement pci) {
    if (!pci.elements("gpu").isEmpty()) {
      return Kind.GPU;
    }
    if (!pci.elements("nic").isEmpty()) {
      return Kind.NIC;
    }
    if (!pci.elements("pci").isEmpty()) {
      return Kind.BRIDGE;
    }
    return kind(pci.attribute("class").orElse(""), id(pci, "vendor"));
  }

  /** Kind of a device by its class code, {@code 0x030200}, and its vendor if known. */
  static Kind kind(String pciClass, String vendor) {
    return switch (PciClass.of(pciClass)) {
      case GPU -> vendor.isEmpty() || vendor.equals("10de") ? Kind.GPU : Kind.OTHER;
      // Virtio cards carry no RDMA.
      case NIC -> vendor.equals("1af4") ? Kind.OTHER : Kind.NIC;
      default -> pciClass.startsWith("0x0604") ? Kind.BRIDGE : Kind.OTHER;
    };
  }

  /** Vendor or device id; operators' placeholders for an unknown one count as unknown. */
  private static String id(XmlElement pci, String attribute) {
    String text = pci.attribute(attribute).orElse("").toLowerCase(Locale.ROOT);
    String digits = text.startsWith("0x") ? text.substring(2) : text;
    return digits.equals("0000") || digits.equals("ffff") ? "" : digits;
  }
}
