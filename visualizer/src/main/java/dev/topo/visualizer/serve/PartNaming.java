package dev.topo.visualizer.serve;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NicNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Node.PciNode;
import dev.topo.model.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The names of devices in the language of edits: {@code gpu:0}, {@code net:mlx5_3}, {@code
 * switch:0000:18:00.0}, {@code cpu:0}; on one host of an NVLink domain {@code gpu:3-0}.
 *
 * @param isDomain whether it is an NVLink domain of several hosts
 */
record PartNaming(Topology topology, DeviceElements elements, boolean isDomain) {
  /** The ports of a network card. */
  List<NetNode> ports(int card) {
    return topology.links(card).stream()
        .filter(link -> link.type() == LinkType.NET)
        .map(link -> (NetNode) topology.node(link.to()))
        .toList();
  }

  /** The name of a device; empty if edits cannot name it. */
  Optional<String> name(int node) {
    Node device = topology.node(node);
    return value(node)
        .map(value -> kind(node) + ":" + (isDomain ? device.systemId() + "-" : "") + value);
  }

  /** The name of the same device on every host of an NVLink domain. */
  Optional<String> nameOnAllHosts(int node) {
    return value(node).map(value -> kind(node) + ":" + value);
  }

  private String kind(int node) {
    return switch (topology.node(node).type()) {
      case GPU -> "gpu";
      case CPU -> "cpu";
      case PCI -> "switch";
      case NIC -> ports(node).size() == 1 ? "net" : "nic";
      default -> "";
    };
  }

  private Optional<String> value(int node) {
    Node device = topology.node(node);
    if (device instanceof GpuNode gpu) {
      return Optional.of(String.valueOf(gpu.dev()));
    }
    if (device instanceof CpuNode cpu) {
      return Optional.of(String.valueOf(cpu.numaId()));
    }
    if (device instanceof PciNode pci) {
      return elements.busId(pci.id());
    }
    return device instanceof NicNode
        ? ports(node).stream().findFirst().flatMap(this::portName)
        : Optional.empty();
  }

  /** The name of a port; empty for merged ports, whose combined name is not in the file. */
  private Optional<String> portName(NetNode port) {
    return port.name().isEmpty()
        ? Optional.of(String.valueOf(port.dev()))
        : Optional.of(port.name()).filter(name -> name.matches("[\\w.@-]+"));
  }

  /** A name for an additional card: the stem of an existing name with the next free number. */
  String nextPort() {
    List<String> names =
        Arrays.stream(topology.indexes(NodeType.NET))
            .mapToObj(net -> ((NetNode) topology.node(net)).name())
            .toList();
    String stem =
        names.stream()
            .map(name -> name.replaceFirst("\\d{1,6}$", ""))
            .filter(name -> name.matches("[A-Za-z][\\w]*"))
            .findFirst()
            .orElse("mlx5_");
    int number = 0;
    while (names.contains(stem + number)) {
      number++;
    }
    return stem + number;
  }
}
