package dev.topo.visualizer.serve;

import dev.topo.model.Node.BusId;
import dev.topo.model.Node.NodeId;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.topology.NvlinkDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The XML elements of PCI devices in a topology file, by node id. */
final class DeviceElements {
  private final Map<NodeId, XmlElement> devices = new HashMap<>();

  /** Indexes the devices of a host, or of all hosts of an NVLink domain. */
  DeviceElements(XmlElement system) {
    List<XmlElement> hosts = NvlinkDomain.hosts(system);
    for (int host = 0; host < hosts.size(); host++) {
      add(host, hosts.get(host));
    }
  }

  private void add(int host, XmlElement element) {
    if (element.name().equals("pci")) {
      element
          .attribute("busid")
          .filter(BusId::isBusId)
          .map(busId -> new NodeId(host, new BusId(busId).number()))
          .ifPresent(id -> devices.putIfAbsent(id, element));
    }
    element.elements().forEach(child -> add(host, child));
  }

  /**
   * The bus id of a device as written in its file; empty if the device has no element of its own.
   */
  Optional<String> busId(NodeId id) {
    return Optional.ofNullable(devices.get(id)).flatMap(pci -> pci.attribute("busid"));
  }

  /** The number of lanes of the link above a device; empty if the file states none. */
  OptionalInt width(NodeId id) {
    return Optional.ofNullable(devices.get(id))
        .flatMap(pci -> pci.attribute("link_width"))
        .filter(width -> width.matches("\\d{1,3}"))
        .map(width -> OptionalInt.of(Integer.parseInt(width)))
        .orElse(OptionalInt.empty());
  }

  /**
   * The number of NVLinks in each {@code nvlink} element of a GPU; empty if the elements differ or
   * there are none.
   */
  OptionalInt nvlinks(NodeId gpu) {
    List<String> counts =
        Optional.ofNullable(devices.get(gpu)).stream()
            .flatMap(pci -> pci.elements("gpu").stream())
            .flatMap(element -> element.elements("nvlink").stream())
            .map(link -> link.attribute("count").orElse("1"))
            .distinct()
            .toList();
    return counts.size() == 1 && counts.get(0).matches("\\d{1,3}")
        ? OptionalInt.of(Integer.parseInt(counts.get(0)))
        : OptionalInt.empty();
  }
}
