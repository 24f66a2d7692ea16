package dev.topo.probe.assemble;

import dev.topo.model.xml.XmlTreeNode;
import java.util.List;
import java.util.Optional;

/**
 * Finds the parent of a virtual network device: the PCI device that its members share, or a new
 * virtual one ({@code ncclTopoGetVNicParent}, {@code nccl:src/graph/topo.cc}).
 */
record VirtualNicPlacer(XmlTree tree) {
  private static final String BRIDGE_CLASS = "0x060400";

  /** How many bus ids NCCL tries for a virtual device. */
  private static final int MAX_TRIES = 100;

  /** The element to put the virtual device under; empty where NCCL fails to make one. */
  Optional<XmlTreeNode> parent(List<XmlTreeNode> members) {
    NicGeometry.Meeting meeting = NicGeometry.of(members);
    XmlTreeNode shared = meeting.shared();
    switch (meeting.distance()) {
      case PIX, PXB, PHB -> widen(members, shared);
      default -> {}
    }
    boolean bridge =
        shared.is("pci") && shared.attribute("class").filter(BRIDGE_CLASS::equals).isPresent();
    return bridge || shared.is("cpu") ? makeUp(shared, members.get(0)) : Optional.of(shared);
  }

  /** A card like the first member's, with a bus id that no device has. */
  private Optional<XmlTreeNode> makeUp(XmlTreeNode parent, XmlTreeNode firstMember) {
    Optional<XmlTreeNode> card = NicMerger.card(firstMember);
    if (card.isEmpty()) {
      return Optional.empty();
    }
    String busId = card.get().attribute("busid").orElse("");
    for (int i = 0; i < MAX_TRIES; i++) {
      busId = BusIds.next(busId);
      if (tree.find("pci", "busid", busId).isEmpty()) {
        XmlTreeNode made = tree.add(parent, "pci");
        made.set("busid", busId);
        card.get().attributes().forEach(made::setIfUnset);
        return Optional.of(made);
      }
    }
    return Optional.empty();
  }

  /** Sets the width of each link on the path to the total lanes of all members. */
  private static void widen(List<XmlTreeNode> members, XmlTreeNode shared) {
    int lanes = shared.children().stream().mapToInt(child -> lanes(child, members)).sum();
    String width = Integer.toString(lanes);
    for (XmlTreeNode member : members) {
      Optional<XmlTreeNode> node = Optional.of(member);
      while (node.isPresent() && node.get() != shared) {
        if (node.get().is("pci")) {
          node.get().set("link_width", width);
        }
        node = node.get().parent();
      }
    }
    if (shared.is("pci")) {
      shared.set("link_width", width);
    }
  }

  private static int lanes(XmlTreeNode node, List<XmlTreeNode> members) {
    if (!contains(node, members)) {
      return 0;
    }
    int own = node.is("pci") ? node.number("link_width") : 0;
    int below = node.children().stream().mapToInt(child -> lanes(child, members)).sum();
    if (below == 0) {
      return own;
    }
    return own > 0 ? Math.min(own, below) : below;
  }

  private static boolean contains(XmlTreeNode node, List<XmlTreeNode> members) {
    return members.contains(node)
        || node.children().stream().anyMatch(child -> contains(child, members));
  }
}
