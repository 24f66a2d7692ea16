package dev.topo.search.topology;

import dev.topo.model.GpuNode;
import dev.topo.model.Link;
import dev.topo.model.LinkType;
import dev.topo.model.NodeType;
import dev.topo.model.Topology;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules that every {@link Topology} keeps. */
public final class TopologyCheck {
  private TopologyCheck() {}

  /**
   * Checks a topology by definition: links leave the node that lists them, carry no negative
   * bandwidth and are, but for PCI, unique by target and type; no two nodes of a type share an id,
   * except ports, where NCCL lets it pass; no two GPUs share a rank.
   *
   * @throws IllegalStateException naming the first rule that is broken
   */
  public static void verify(Topology topology) {
    Set<String> labels = new HashSet<>();
    for (int i = 0; i < topology.size(); i++) {
      boolean mayRepeat = topology.node(i).type() == NodeType.NET;
      require(
          labels.add(topology.node(i).label()) || mayRepeat,
          "two nodes are " + topology.node(i).label());
      verifyLinks(topology, i);
    }
    verifyRanks(topology.gpus());
  }

  private static void verifyLinks(Topology topology, int node) {
    List<Link> links = topology.links(node);
    for (int l = 0; l < links.size(); l++) {
      Link link = links.get(l);
      String text = topology.node(node).label() + " to " + topology.node(link.to()).label();
      require(link.from() == node, "a link of " + text + " is listed at another node");
      require(
          link.bwGBps() >= 0,
          "the link " + text + " has a bandwidth of " + link.bwGBps() + " GB/s");
      for (int m = 0; m < l; m++) {
        Link other = links.get(m);
        // Broadcom switches that were joined may each have had a link to the same node.
        require(
            other.to() != link.to() || other.type() != link.type() || link.type() == LinkType.PCI,
            "two " + link.type() + " links go from " + text);
      }
    }
  }

  private static void verifyRanks(List<GpuNode> gpus) {
    Set<Integer> ranks = new HashSet<>();
    for (GpuNode gpu : gpus) {
      require(ranks.add(gpu.rank()), "two GPUs have rank " + gpu.rank());
    }
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalStateException(message);
    }
  }
}
