package dev.topo.search.engine;

import dev.topo.model.LinkType;
import dev.topo.model.NetNode;
import dev.topo.model.NicNode;
import dev.topo.model.Node;
import dev.topo.model.NodeType;
import dev.topo.model.Topology;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Which ports are on one rail and on one plane of the network ({@code ncclTopoSearchCheckNet},
 * {@code nccl:src/graph/search.cc}). Immutable.
 */
final class PortRails {
  private final int nets;
  private final boolean[] sameRail;
  private final boolean[] otherPlane;

  /**
   * Compares all ports of a topology.
   *
   * @param railPerHost whether the ports of one PCI device are one rail on every host of an NVLink
   *     domain (NCCL_MNNVL_RAIL_PER_HOST); else a rail is a chip of one host
   */
  PortRails(Topology topology, boolean railPerHost) {
    List<NetNode> ports = topology.nets();
    nets = ports.size();
    sameRail = new boolean[nets * nets];
    otherPlane = new boolean[nets * nets];
    int[] nodes = topology.indexes(NodeType.NET);
    List<Node> cards =
        IntStream.range(0, nets).mapToObj(net -> card(topology, nodes[net])).toList();
    for (int a = 0; a < nets; a++) {
      for (int b = 0; b < nets; b++) {
        NetNode port = ports.get(a);
        NetNode other = ports.get(b);
        boolean byCard = railPerHost && port.id().systemId() != other.id().systemId();
        sameRail[a * nets + b] =
            port.rail().isPresent() && other.rail().isPresent()
                ? port.rail().equals(other.rail())
                : port.port() == other.port()
                    && (byCard
                        ? isAtSamePlace(port, cards.get(a), other, cards.get(b))
                        : port.asic() == other.asic());
        otherPlane[a * nets + b] = areOther(port.plane(), other.plane());
      }
    }
  }

  private static Node card(Topology topology, int port) {
    return topology.links(port).stream()
        .filter(link -> link.type() == LinkType.NET)
        .map(link -> topology.node(link.to()))
        .filter(node -> node.type() == NodeType.NIC)
        .findFirst()
        .orElse(topology.node(port));
  }

  /** By the PCI bus id; of a port that is no PCI device by its chip ({@code ncclTopoAddNet}). */
  private static boolean isAtSamePlace(NetNode port, Node portCard, NetNode other, Node otherCard) {
    boolean onPci = isOnPci(portCard);
    return onPci == isOnPci(otherCard)
        && (onPci
            ? portCard.id().localId() == otherCard.id().localId()
            : port.asic() == other.asic());
  }

  /** Ports that are no PCI device share a card with the number 0. */
  private static boolean isOnPci(Node card) {
    return card instanceof NicNode && card.id().localId() != 0;
  }

  private static boolean areOther(OptionalInt a, OptionalInt b) {
    return a.isPresent() && b.isPresent() && !a.equals(b);
  }

  boolean isOnSameRail(int net, int other) {
    return sameRail[net * nets + other];
  }

  /** True if two ports are on planes of the network between which there is no path. */
  boolean isOnOtherPlane(int net, int other) {
    return otherPlane[net * nets + other];
  }
}
