package dev.topo.model.nic;

import dev.topo.model.NicDistance;
import dev.topo.model.xml.XmlTreeNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Relative positions of network devices in a topology tree ({@code ncclTopoGetPath}, {@code
 * nccl:src/graph/topo.cc}).
 */
final class NicGeometry {
  private NicGeometry() {}

  /** The distance between devices and their innermost common element. */
  record Meeting(NicDistance distance, XmlTreeNode shared) {
    /** The nearest PCI device at or above the common element; that element if there is none. */
    XmlTreeNode nearestPci() {
      return firstPci(shared);
    }
  }

  static Meeting of(List<XmlTreeNode> nets) {
    if (nets.stream().distinct().count() == 1) {
      return new Meeting(NicDistance.LOC, nets.get(0));
    }
    List<Deque<XmlTreeNode>> lineages = nets.stream().map(NicGeometry::lineage).toList();
    XmlTreeNode shared = lineages.get(0).peek();
    while (allBeginWith(lineages, lineages.get(0).peek())) {
      shared = lineages.get(0).peek();
      lineages.forEach(Deque::pop);
    }
    NicDistance distance = areFunctions(lineages) ? NicDistance.PORT : distance(shared, nets);
    return new Meeting(distance, shared);
  }

  /** From the outermost element down to the device. */
  private static Deque<XmlTreeNode> lineage(XmlTreeNode net) {
    Deque<XmlTreeNode> line = new ArrayDeque<>();
    for (Optional<XmlTreeNode> up = Optional.of(net); up.isPresent(); up = up.get().parent()) {
      line.push(up.get());
    }
    return line;
  }

  private static boolean allBeginWith(List<Deque<XmlTreeNode>> lineages, XmlTreeNode node) {
    return node != null && lineages.stream().allMatch(line -> line.peek() == node);
  }

  /** True if the elements where the lineages diverge are functions of one PCI device. */
  private static boolean areFunctions(List<Deque<XmlTreeNode>> lineages) {
    List<Optional<String>> devices =
        lineages.stream()
            .map(line -> Optional.ofNullable(line.peek()).flatMap(node -> node.attribute("busid")))
            .map(busId -> busId.map(id -> id.substring(0, Math.max(0, id.length() - 1))))
            .distinct()
            .toList();
    return devices.size() == 1 && devices.get(0).isPresent();
  }

  private static NicDistance distance(XmlTreeNode shared, List<XmlTreeNode> nets) {
    if (shared.is("system")) {
      return NicDistance.SYS;
    }
    if (shared.is("cpu")) {
      return NicDistance.PHB;
    }
    if (shared.is("nic") || shared.is("net")) {
      return NicDistance.PORT;
    }
    return nets.stream().allMatch(net -> isDirectlyUnder(net, shared))
        ? NicDistance.PIX
        : NicDistance.PXB;
  }

  private static boolean isDirectlyUnder(XmlTreeNode net, XmlTreeNode bridge) {
    Optional<XmlTreeNode> card = net.parent().flatMap(XmlTreeNode::parent);
    return card.isPresent()
        && (!card.get().is("pci") || card.get().parent().filter(p -> p == bridge).isPresent());
  }

  private static XmlTreeNode firstPci(XmlTreeNode from) {
    XmlTreeNode node = from;
    while (!node.is("pci")) {
      Optional<XmlTreeNode> parent = node.parent();
      if (parent.isEmpty() || parent.get().is("system")) {
        return from;
      }
      node = parent.get();
    }
    return node;
  }
}
