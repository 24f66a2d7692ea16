package dev.topo.search.path;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Topology;
import java.util.List;

/**
 * The links of a topology numbered 0 to n-1, node after node, in plain arrays, as path finding and
 * search use them. Immutable.
 */
public final class LinkTable {
  private final int[] firstOfNode;
  private final int[] to;
  private final LinkType[] type;
  private final float[] bwGBps;
  private final int[] reverse;

  LinkTable(Topology topology) {
    int nodes = topology.size();
    firstOfNode = new int[nodes + 1];
    for (int n = 0; n < nodes; n++) {
      firstOfNode[n + 1] = firstOfNode[n] + topology.links(n).size();
    }
    int count = firstOfNode[nodes];
    to = new int[count];
    type = new LinkType[count];
    bwGBps = new float[count];
    for (int n = 0; n < nodes; n++) {
      List<Link> links = topology.links(n);
      for (int l = 0; l < links.size(); l++) {
        Link link = links.get(l);
        to[firstOfNode[n] + l] = link.to();
        type[firstOfNode[n] + l] = link.type();
        bwGBps[firstOfNode[n] + l] = link.bwGBps();
      }
    }
    reverse = new int[count];
    for (int n = 0; n < nodes; n++) {
      for (int l = firstOfNode[n]; l < firstOfNode[n + 1]; l++) {
        reverse[l] = find(to[l], n, type[l]);
      }
    }
  }

  private int find(int from, int toNode, LinkType wanted) {
    for (int l = firstOfNode[from]; l < firstOfNode[from + 1]; l++) {
      if (to[l] == toNode && type[l] == wanted) {
        return l;
      }
    }
    return -1;
  }

  public int size() {
    return to.length;
  }

  /** The first link that leaves a node. */
  public int firstOf(int node) {
    return firstOfNode[node];
  }

  /** One past the last link that leaves a node. */
  public int endOf(int node) {
    return firstOfNode[node + 1];
  }

  /** Index of the node that a link enters. */
  public int to(int link) {
    return to[link];
  }

  public LinkType type(int link) {
    return type[link];
  }

  /** Bandwidth of a link in GB/s. */
  public float bwGBps(int link) {
    return bwGBps[link];
  }

  /** The link of the same type in the other direction; -1 if there is none. */
  public int reverse(int link) {
    return reverse[link];
  }
}
