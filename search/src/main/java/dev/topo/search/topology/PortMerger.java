package dev.topo.search.topology;

import dev.topo.model.NicMerging;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.nic.NicMerger;
import dev.topo.model.nic.PhysicalPort;
import dev.topo.model.nic.PortMerging;
import dev.topo.model.nic.VirtualNicPlacer;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlTreeNode;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Merges the ports of a topology file into virtual devices, separately on each host, as in the
 * first communicator with one process per GPU ({@code ncclTopoProcessNet}, {@code
 * nccl:src/graph/topo.cc}, 2.24.3 to 2.31.2). A dump lists the ports separately. The file is
 * assumed to list the ports of NCCL's network; ports that are already merged are unchanged.
 */
final class PortMerger {
  /** Amazon's EFA, whose plugin does not merge. */
  private static final String WITHOUT_MERGING = "0x1d0f";

  /** The speed that NCCL assumes for a port without one, in Mb/s. */
  private static final int USUAL_MBPS = 10_000;

  private final List<XmlTreeNode> nets;
  private final XmlTreeNode system;
  private final PortMerging merging;

  /** Collects the ports of a host, with the device numbers of its file. */
  private PortMerger(XmlTreeNode host, PortMerging merging) {
    this.merging = merging;
    this.system = host;
    this.nets =
        host.all("net").stream()
            .filter(net -> !net.value("name").contains(NicMerging.JOINT))
            .filter(net -> !net.value("net").equals("0"))
            .sorted(Comparator.comparingInt(net -> net.number("dev")))
            .toList();
  }

  /**
   * The file with merged ports; empty where none are merged.
   *
   * @throws UnusableTopologyException if NCCL fails
   */
  static Optional<XmlElement> merge(XmlElement system, NicMerging rules, PortMerging merging) {
    return NvlinkDomain.changed(system, host -> new PortMerger(host, merging).merge(rules));
  }

  private boolean merge(NicMerging rules) {
    if (nets.isEmpty() || merging == PortMerging.NONE) {
      return false;
    }
    if (system.all("pci").stream()
        .anyMatch(
            pci -> pci.value("vendor").equals(WITHOUT_MERGING) && pci.child("nic").isPresent())) {
      return false;
    }
    List<PhysicalPort> ports =
        nets.stream().map(net -> new PhysicalPort(name(net), net.number("port"), "", net)).toList();
    List<List<XmlTreeNode>> devices =
        new NicMerger(ports, rules, merging)
            .merge().stream().map(device -> device.stream().map(nets::get).toList()).toList();
    Set<XmlTreeNode> merged =
        devices.stream()
            .filter(device -> device.size() > 1)
            .flatMap(List::stream)
            .collect(Collectors.toSet());
    checkCollNet(merged);
    int dev = system.all("net").stream().mapToInt(net -> net.number("dev")).max().orElse(-1) + 1;
    if (merging.isByNetwork()) {
      return mergeIntoFirst(devices);
    }
    return merging.isRenumbering() ? renumber(devices, dev) : replace(devices, dev, merged);
  }

  private void checkCollNet(Set<XmlTreeNode> merged) {
    if (merging.keepsCollNet() && merged.stream().anyMatch(net -> net.number("coll") != 0)) {
      throw UnusableTopologyException.withoutRules(
          "merged ports of a network with CollNet, which also keeps them apart before 2.27.3 and from 2.30.7 on, are not modelled");
    }
  }

  /** The first port of each device becomes the device. */
  private static boolean mergeIntoFirst(List<List<XmlTreeNode>> devices) {
    boolean isMerged = devices.stream().anyMatch(device -> device.size() > 1);
    for (int dev = 0; isMerged && dev < devices.size(); dev++) {
      List<XmlTreeNode> device = devices.get(dev);
      XmlTreeNode first = device.get(0);
      first.set("dev", dev);
      if (device.size() > 1) {
        setCombined(first, device);
        device.subList(1, device.size()).forEach(XmlTreeNode::detach);
      }
    }
    return isMerged;
  }

  /** Each device of several ports replaces them. */
  private boolean replace(List<List<XmlTreeNode>> devices, int dev, Set<XmlTreeNode> merged) {
    int next = dev;
    for (List<XmlTreeNode> device : devices) {
      if (device.size() > 1) {
        add(device, next++);
      }
    }
    merged.forEach(XmlTreeNode::detach);
    return !merged.isEmpty();
  }

  /**
   * Each port becomes a device or a part of one. A merged port is removed with its card, unless the
   * card holds something else. A device below another one is not found.
   */
  private boolean renumber(List<List<XmlTreeNode>> devices, int dev) {
    Set<XmlTreeNode> replaced = new LinkedHashSet<>(nets);
    int next = dev;
    for (List<XmlTreeNode> device : devices) {
      if (device.size() > 1) {
        add(device, next++);
      } else {
        device.get(0).set("dev", next++);
        replaced.remove(device.get(0));
      }
    }
    List<XmlTreeNode> trimmed =
        replaced.stream()
            .filter(net -> card(net).filter(pci -> !holds(pci, replaced)).isPresent())
            .toList();
    trimmed.forEach(XmlTreeNode::detach);
    return !nets.isEmpty();
  }

  private static Optional<XmlTreeNode> card(XmlTreeNode net) {
    Optional<XmlTreeNode> above = net.parent();
    while (above.isPresent() && !above.get().is("pci")) {
      above = above.get().parent();
    }
    return above;
  }

  /** True if a node holds a GPU, or a device that is not in {@code replaced}. */
  private static boolean holds(XmlTreeNode node, Set<XmlTreeNode> replaced) {
    return node.is("gpu")
        || (node.is("net") && !replaced.contains(node))
        || node.children().stream().anyMatch(child -> holds(child, replaced));
  }

  private static String name(XmlTreeNode net) {
    return net.attribute("name").orElse("net" + net.value("dev"));
  }

  /**
   * Adds the merged device of the given ports; properties that are not combined are those of the
   * first port. If a device of this name exists, only its number changes.
   */
  private void add(List<XmlTreeNode> ports, int dev) {
    XmlTreeNode first = ports.get(0);
    String name = nameOf(ports);
    Optional<XmlTreeNode> known =
        system.all("net").stream().filter(net -> net.value("name").equals(name)).findFirst();
    if (known.isPresent()) {
      known.get().set("dev", dev);
      return;
    }
    XmlTreeNode parent =
        VirtualNicPlacer.parent(ports, merging)
            .orElseThrow(
                () ->
                    new UnusableTopologyException(
                        "NCCL finds no PCI device for the merged port " + name(first)));
    XmlTreeNode nic = parent.child("nic").orElseGet(() -> added(parent, "nic", Map.of()));
    XmlTreeNode net = added(nic, "net", first.attributes());
    net.set("dev", dev);
    setCombined(net, ports);
  }

  private static String nameOf(List<XmlTreeNode> ports) {
    return QuantityFormat.joined(NicMerging.JOINT, ports, PortMerger::name);
  }

  /** Sets the properties that a device combines from all its ports. */
  private static void setCombined(XmlTreeNode net, List<XmlTreeNode> ports) {
    int mbps = ports.stream().mapToInt(PortMerger::mbps).sum();
    net.set("name", nameOf(ports));
    net.set("speed", mbps);
    net.remove("latency");
    if (!ports.stream().allMatch(port -> port.number("coll") != 0)) {
      net.remove("coll");
    }
  }

  private static XmlTreeNode added(XmlTreeNode parent, String tag, Map<String, String> attributes) {
    XmlTreeNode node = new XmlTreeNode(tag, attributes, parent.location());
    parent.append(node);
    return node;
  }

  private static int mbps(XmlTreeNode net) {
    int stated = net.number("speed");
    return stated > 0 ? stated : USUAL_MBPS;
  }
}
