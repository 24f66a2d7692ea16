package dev.topo.inspect.guest;

import dev.topo.model.Node.BusId;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Renames the part of a host that a virtual machine has to the guest's bus ids and numbers. Devices
 * of a kind are numbered by the guest's bus ids; devices of one card keep their order. Single use.
 */
final class GuestRenaming {
  private final Map<String, String> ids;
  private final GuestCpus cpus;
  private final IdentityHashMap<XmlElement, Integer> numbers = new IdentityHashMap<>();

  /**
   * Creates a renaming.
   *
   * @param ids bus ids in the guest by bus ids on the host
   */
  GuestRenaming(Map<String, String> ids, GuestCpus cpus) {
    this.ids = ids;
    this.cpus = cpus;
  }

  private record Placed(XmlElement element, long busId) {}

  XmlElement of(XmlElement system) {
    for (String name : List.of("gpu", "net")) {
      List<Placed> found = new ArrayList<>();
      collect(system, name, 0, found);
      found.sort(Comparator.comparingLong(Placed::busId));
      for (int i = 0; i < found.size(); i++) {
        numbers.put(found.get(i).element, i);
      }
    }
    return renamed(system);
  }

  private void collect(XmlElement element, String name, long busId, List<Placed> found) {
    for (XmlElement child : element.elements()) {
      if (child.name().equals(name)) {
        found.add(new Placed(child, busId));
      } else {
        boolean isPci = child.name().equals("pci");
        long place = isPci ? new BusId(id(PciTree.busId(child))).number() : busId;
        collect(child, name, place, found);
      }
    }
  }

  private String id(String hostId) {
    return ids.getOrDefault(hostId, hostId);
  }

  private XmlElement renamed(XmlElement element) {
    Map<String, String> attributes =
        element.name().equals("cpu")
            ? cpus.attributes(element)
            : new LinkedHashMap<>(element.attributes());
    String number = String.valueOf(numbers.getOrDefault(element, 0));
    switch (element.name()) {
      case "pci" -> attributes.put("busid", id(PciTree.busId(element)));
      case "nvlink", "pcilink" ->
          attributes.computeIfPresent("target", (name, target) -> target(target));
      case "gpu" -> {
        attributes.put("dev", number);
        attributes.put("rank", number);
      }
      case "net" -> attributes.put("dev", number);
      default -> {
        // Not a property of the host.
      }
    }
    return element.with(attributes, element.elements().stream().map(this::renamed).toList());
  }

  private String target(String target) {
    String hostId = PciTree.normal(target);
    return ids.containsKey(hostId) ? id(hostId) : target;
  }
}
