package dev.topo.model.nic;

import dev.topo.model.Node.BusId;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.XmlTreeNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the parent of a virtual network device: the PCI device that its members share, or a new
 * virtual one ({@code ncclTopoGetVNicParent}, {@code nccl:src/graph/topo.cc}).
 */
public final class VirtualNicPlacer {
  private static final String BRIDGE_CLASS = "0x060400";

  /** Number of bus ids that NCCL tries for a virtual device. */
  private static final int MAX_TRIES = 100;

  private VirtualNicPlacer() {}

  /**
   * The parent element of the virtual device; empty if NCCL fails to make one. Links of ports that
   * are farther apart than on one card may be widened.
   *
   * @throws UnusableTopologyException for ports of several CPUs where NCCL refuses them
   */
  public static Optional<XmlTreeNode> parent(List<XmlTreeNode> members, PortMerging merging) {
    NicGeometry.Meeting meeting = NicGeometry.of(members);
    XmlTreeNode shared = merging.isRenumbering() ? meeting.shared() : meeting.nearestPci();
    boolean isApart =
        switch (meeting.distance()) {
          case PIX, PXB, PHB -> true;
          default -> false;
        };
    if (merging == PortMerging.OWN && shared.is("system")) {
      throw new UnusableTopologyException(
          "NCCL merges no ports of several CPUs, as it would "
              + members.stream().map(member -> member.value("name")).toList());
    }
    int lanes = lanesBelow(shared, members);
    if (isApart && merging == PortMerging.WIDENED) {
      widen(members, shared, lanes);
    }
    Optional<XmlTreeNode> parent =
        isOnNewDevice(shared, merging)
            ? addVirtualCard(shared, members.get(0))
            : Optional.of(shared);
    if (isApart && merging == PortMerging.OWN && lanes > 0) {
      parent.ifPresent(device -> widenOwn(device, shared, lanes));
    }
    return parent;
  }

  private static boolean isOnNewDevice(XmlTreeNode shared, PortMerging merging) {
    return switch (merging) {
      case NONE, PAIRS, PAIRS_ONLY -> false;
      case RENUMBERED, RENUMBERED_OR_FAILED -> shared.is("pci");
      case PLAIN -> isBridge(shared);
      case WIDENED, OWN -> isBridge(shared) || shared.is("cpu");
    };
  }

  private static boolean isBridge(XmlTreeNode node) {
    return node.is("pci") && node.attribute("class").filter(BRIDGE_CLASS::equals).isPresent();
  }

  /**
   * Sets the link width of a device and of the common element of its ports, if they are PCI
   * devices.
   */
  private static void widenOwn(XmlTreeNode device, XmlTreeNode shared, int lanes) {
    for (XmlTreeNode node : device == shared ? List.of(shared) : List.of(device, shared)) {
      if (node.is("pci")) {
        node.set("link_width", lanes);
      }
    }
  }

  /** Adds a copy of the first member's card with an unused bus id. */
  private static Optional<XmlTreeNode> addVirtualCard(XmlTreeNode parent, XmlTreeNode firstMember) {
    Optional<XmlTreeNode> card = card(firstMember);
    if (card.isEmpty()) {
      return Optional.empty();
    }
    List<String> taken = root(parent).all("pci").stream().map(pci -> pci.value("busid")).toList();
    long number = new BusId(card.get().value("busid")).number();
    for (int i = 1; i <= MAX_TRIES; i++) {
      String busId = BusId.of(number + i).text();
      if (!taken.contains(busId)) {
        XmlTreeNode device = new XmlTreeNode("pci", Map.of("busid", busId), card.get().location());
        card.get().attributes().forEach(device::setIfUnset);
        parent.append(device);
        return Optional.of(device);
      }
    }
    return Optional.empty();
  }

  private static XmlTreeNode root(XmlTreeNode node) {
    return node.parent().map(VirtualNicPlacer::root).orElse(node);
  }

  /** The PCI device of a port, if it is on one. */
  private static Optional<XmlTreeNode> card(XmlTreeNode net) {
    return net.parent().flatMap(XmlTreeNode::parent).filter(node -> node.is("pci"));
  }

  /** Sets the width of each link on the path to the total lanes of all members. */
  private static void widen(List<XmlTreeNode> members, XmlTreeNode shared, int lanes) {
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

  private static int lanesBelow(XmlTreeNode shared, List<XmlTreeNode> members) {
    return shared.children().stream().mapToInt(child -> lanes(child, members)).sum();
  }

  private static int lanes(XmlTreeNode node, List<XmlTreeNode> members) {
    if (!contains(node, members)) {
      return 0;
    }
    int width = node.is("pci") ? node.number("link_width") : 0;
    int below = node.children().stream().mapToInt(child -> lanes(child, members)).sum();
    if (below == 0) {
      return width;
    }
    return width > 0 ? Math.min(width, below) : below;
  }

  private static boolean contains(XmlTreeNode node, List<XmlTreeNode> members) {
    return members.contains(node)
        || node.children().stream().anyMatch(child -> contains(child, members));
  }
}
