package dev.topo.inspect.guest;

import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.HashSet;
import java.util.Set;

/** Part of a host that a virtual machine has: the assigned devices and the bridges above them. */
final class HostPart {
  private final Set<String> passed;
  private final Set<String> kept = new HashSet<>();

  private HostPart(Set<String> passed) {
    this.passed = passed;
  }

  static XmlElement of(XmlElement host, DevicePairing pairing) {
    HostPart part = new HostPart(pairing.guestByHost().keySet());
    part.keep(host);
    return part.part(host);
  }

  /**
   * Marks all PCI devices at or above an assigned one. Returns true if the element contains an
   * assigned device.
   */
  private boolean keep(XmlElement element) {
    boolean any = false;
    for (XmlElement child : element.elements()) {
      any |= keep(child);
    }
    if (element.name().equals("pci")) {
      any |= passed.contains(PciTree.busId(element));
      if (any) {
        kept.add(PciTree.busId(element));
      }
    }
    return any;
  }

  private XmlElement part(XmlElement element) {
    return element.with(
        element.elements().stream()
            .filter(child -> isThere(element, child))
            .map(this::part)
            .toList());
  }

  private boolean isThere(XmlElement parent, XmlElement child) {
    return switch (child.name()) {
      case "cpu" -> PciTree.functions(child).stream().anyMatch(f -> kept.contains(f.busId()));
      case "pci" -> kept.contains(PciTree.busId(child));
      // A card without a PCI device cannot be assigned.
      case "nic" -> parent.name().equals("pci") && passed.contains(PciTree.busId(parent));
      case "gpu" -> passed.contains(PciTree.busId(parent));
      case "nvlink" -> !isGpu(child) || kept.contains(target(child));
      case "pcilink" -> kept.contains(target(child));
      default -> true;
    };
  }

  private static boolean isGpu(XmlElement link) {
    return link.attribute("tclass").orElse("").startsWith("0x03");
  }

  private static String target(XmlElement link) {
    return PciTree.normal(link.attribute("target").orElse(""));
  }
}
