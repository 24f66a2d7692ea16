package dev.topo.search.path;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.rules.NcclProfile;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Paths under construction: for each pair of nodes type, bandwidth and hops. A path follows the
 * breadth-first tree of its target, unless a route replaces it. Package-private working state of
 * {@link PathFinder}.
 */
final class PathTable {
  private static final int NONE = -1;

  private final LinkTable links;
  private final int nodes;
  private final float localBwGBps;
  private final PathType[] type;
  private final float[] bwGBps;
  private final int[] hops;

  /** First link of the path along the breadth-first tree of the target, or {@link #NONE}. */
  private final int[] treeLink;

  /** The links of the route that replaces the breadth-first path; null without one. */
  private final int[] @Nullable [] route;

  PathTable(LinkTable links, int nodes, float localBwGBps) {
    this.localBwGBps = localBwGBps;
    this.links = links;
    this.nodes = nodes;
    this.type = new PathType[nodes * nodes];
    this.bwGBps = new float[nodes * nodes];
    this.hops = new int[nodes * nodes];
    this.treeLink = new int[nodes * nodes];
    this.route = new int[nodes * nodes][];
    Arrays.fill(type, PathType.DIS);
    Arrays.fill(treeLink, NONE);
  }

  /** A table for the nodes of a topology, with the version's type for pairs without a path. */
  static PathTable of(Topology topology, LinkTable links, NcclProfile profile) {
    PathTable table = new PathTable(links, topology.size(), profile.links().local());
    switch (profile.paths().withoutPath) {
      case DIS -> {}
      case LOC -> Arrays.fill(table.type, PathType.LOC);
      case LOC_FROM_FIRST -> {
        for (NodeType type : NodeType.values()) {
          int[] alike = topology.indexes(type);
          Arrays.stream(alike).forEach(to -> table.setType(alike[0], to, PathType.LOC));
        }
      }
    }
    return table;
  }

  LinkTable links() {
    return links;
  }

  PathType type(int from, int to) {
    return type[from * nodes + to];
  }

  float bwGBps(int from, int to) {
    return bwGBps[from * nodes + to];
  }

  int hops(int from, int to) {
    return hops[from * nodes + to];
  }

  void setType(int from, int to, PathType newType) {
    type[from * nodes + to] = newType;
  }

  /**
   * Makes a node the root of the breadth-first tree of {@code target}: the target itself, or
   * another node that NCCL uses in its place. The paths of an earlier tree are kept where the new
   * one has nothing better.
   */
  void setRoot(int node, int target) {
    for (int from = 0; node != target && from < nodes; from++) {
      route[from * nodes + target] = links(from, target);
    }
    int at = node * nodes + target;
    route[at] = null;
    type[at] = PathType.LOC;
    bwGBps[at] = localBwGBps;
    hops[at] = 0;
  }

  /**
   * Sets a path of the breadth-first tree of {@code to}: over {@code link}, then along the path of
   * its far end.
   */
  void setTreePath(int from, int to, int link, PathType newType, float bw, int newHops) {
    int at = from * nodes + to;
    treeLink[at] = link;
    route[at] = null;
    type[at] = newType;
    bwGBps[at] = bw;
    hops[at] = newHops;
  }

  /**
   * Sets a path over a link and then along the current path of its far end; later changes of that
   * path do not affect it.
   */
  void setRoute(int from, int via, int to, int link, PathType newType, float bw) {
    int[] rest = links(via, to);
    int[] links = new int[rest.length + 1];
    links[0] = link;
    System.arraycopy(rest, 0, links, 1, rest.length);
    int at = from * nodes + to;
    route[at] = links;
    type[at] = newType;
    bwGBps[at] = bw;
    hops[at] = links.length;
  }

  /** Replaces a path by the one over an intermediate node ({@code addInterStep}). */
  void detour(int from, int via, int to, PathType newType) {
    int[] first = links(from, via);
    int[] second = links(via, to);
    int[] links = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, links, first.length, second.length);
    int at = from * nodes + to;
    route[at] = links;
    hops[at] = links.length;
    type[at] = newType;
    bwGBps[at] = Math.min(bwGBps(from, via), bwGBps(via, to));
  }

  /** The links of a path in order; none where there is no path. */
  int[] links(int from, int to) {
    int[] written = route[from * nodes + to];
    if (written != null) {
      return written;
    }
    int[] path = new int[hops(from, to)];
    int node = from;
    for (int i = 0; i < path.length; i++) {
      path[i] = treeLink[node * nodes + to];
      node = links.to(path[i]);
    }
    return path;
  }
}
