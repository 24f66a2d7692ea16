package dev.topo.search.path;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.rules.PathRules;

/**
 * Finds the path from every node to one target: by fewest links, then highest bandwidth, then order
 * of the links; or, depending on the version, by nearest type, then highest bandwidth, then fewest
 * links ({@code ncclTopoSetPaths}, {@code nccl:src/graph/paths.cc}). A path passes a GPU only over
 * NVLink and only if that GPU is one hop from the target. Time grows with the number of links.
 */
final class BreadthFirst {
  private final Topology topology;
  private final LinkTable links;
  private final PathTable table;
  private final boolean throughGpu;
  private final boolean hopsFirst;
  private final NodeType[] types;
  private int[] wave;
  private int[] nextWave;
  private final int[] waveOf;
  private int waveNumber;
  private int root;

  BreadthFirst(Topology topology, PathTable table, boolean throughGpu, PathRules rules) {
    this.topology = topology;
    this.links = table.links();
    this.table = table;
    this.throughGpu = throughGpu;
    this.hopsFirst = rules.hopsFirst;
    this.types = topology.nodes().stream().map(node -> node.type()).toArray(NodeType[]::new);
    this.wave = new int[topology.size()];
    this.nextWave = new int[topology.size()];
    this.waveOf = new int[topology.size()];
  }

  /**
   * Finds the paths to {@code root} and stores them as paths to {@code target}, which is the root
   * or the port that NCCL uses in its place.
   */
  void run(int root, int target) {
    table.setRoot(root, target);
    this.root = root;
    wave[0] = root;
    int waveSize = 1;
    while (waveSize > 0) {
      waveNumber++;
      int nextSize = 0;
      for (int i = 0; i < waveSize; i++) {
        nextSize = spread(wave[i], target, nextSize);
      }
      int[] swap = wave;
      wave = nextWave;
      nextWave = swap;
      waveSize = nextSize;
    }
  }

  /** Extends the paths of {@code node} to its neighbours; returns the new size of the next wave. */
  private int spread(int node, int target, int nextSize) {
    int size = nextSize;
    float nodeBw = table.bwGBps(node, target);
    int nodeHops = table.hops(node, target);
    boolean relay = node != root && types[node] == NodeType.GPU;
    for (int l = links.firstOf(node); l < links.endOf(node); l++) {
      int neighbour = links.to(l);
      if (relay && !mayRelay(l, neighbour, nodeHops)) {
        continue;
      }
      float bw = Math.min(nodeBw, links.bwGBps(l));
      if (hopsFirst && !isShorterOrWider(bw, nodeHops + 1, neighbour, target)) {
        continue;
      }
      PathType type =
          PathType.farther(
              table.type(node, target), hopType(l, node, neighbour, target, nodeHops + 1));
      if (!hopsFirst && !isNearerOrBetter(type, bw, nodeHops + 1, neighbour, target)) {
        continue;
      }
      if (links.reverse(l) < 0) {
        throw new UnusableTopologyException(
            "%s has a link to %s but not back"
                .formatted(topology.node(node).label(), topology.node(neighbour).label()));
      }
      if (hopsFirst) {
        table.setTreePath(neighbour, target, links.reverse(l), type, bw, nodeHops + 1);
      } else {
        table.setRoute(neighbour, node, target, links.reverse(l), type, bw);
      }
      if (waveOf[neighbour] != waveNumber) {
        waveOf[neighbour] = waveNumber;
        nextWave[size++] = neighbour;
      }
    }
    return size;
  }

  private boolean isShorterOrWider(float bw, int hops, int neighbour, int target) {
    float known = table.bwGBps(neighbour, target);
    return (known == 0 || table.hops(neighbour, target) >= hops) && known < bw;
  }

  private boolean isNearerOrBetter(PathType type, float bw, int hops, int neighbour, int target) {
    PathType knownType = table.type(neighbour, target);
    if (type != knownType) {
      return type.isWithin(knownType);
    }
    float known = table.bwGBps(neighbour, target);
    return known < bw || (known == bw && table.hops(neighbour, target) > hops);
  }

  private boolean mayRelay(int link, int neighbour, int nodeHops) {
    return throughGpu
        && links.type(link) == LinkType.NVL
        && types[neighbour] == NodeType.GPU
        && nodeHops <= 1;
  }

  private PathType hopType(int link, int node, int neighbour, int target, int hops) {
    LinkType type = links.type(link);
    if (types[node] == NodeType.PCI && types[neighbour] == NodeType.PCI) {
      return PathType.PXB;
    }
    if (type == LinkType.PCI && (types[node] == NodeType.CPU || types[neighbour] == NodeType.CPU)) {
      return PathType.PHB;
    }
    boolean throughThisGpu =
        types[node] == NodeType.GPU && table.type(node, target) == PathType.NVL && hops > 1;
    if (type == LinkType.NVL && throughThisGpu) {
      return PathType.NVB;
    }
    // The hop from a NIC to its port does not count for the distance to a GPU.
    return type == LinkType.NET ? PathType.LOC : type.pathType();
  }
}
