package dev.topo.visualizer.drawing;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * The links of one type between two nodes, with both directions combined.
 *
 * @param a the index of one node
 * @param b the index of the other node
 * @param type the type of the links
 * @param there bandwidth from a to b in GB/s, 0 if there is no such link
 * @param back bandwidth from b to a in GB/s, 0 if there is no such link
 */
public record Edge(int a, int b, LinkType type, float there, float back) {
  private record Ends(int a, int b, LinkType type) {}

  /** The edges of a machine, in the order of its links. */
  public static List<Edge> of(Topology topology) {
    Map<Ends, float[]> bandwidths = new LinkedHashMap<>();
    for (int node = 0; node < topology.size(); node++) {
      for (Link link : topology.links(node)) {
        int a = Math.min(link.from(), link.to());
        int b = Math.max(link.from(), link.to());
        float[] bw = bandwidths.computeIfAbsent(new Ends(a, b, link.type()), ends -> new float[2]);
        bw[link.from() == a ? 0 : 1] = link.bwGBps();
        if (a == b) {
          bw[1] = link.bwGBps();
        }
      }
    }
    List<Edge> edges = new ArrayList<>();
    bandwidths.forEach((ends, bw) -> edges.add(new Edge(ends.a, ends.b, ends.type, bw[0], bw[1])));
    return edges;
  }

  /** Returns the edge of a type between two nodes, which must exist. */
  static Edge between(List<Edge> edges, LinkType type, int a, int b) {
    return edges.stream()
        .filter(edge -> edge.type == type && edge.touches(a) && edge.touches(b))
        .findFirst()
        .orElseThrow();
  }

  /** True if the edge has a node at one of its ends. */
  public boolean touches(int node) {
    return a == node || b == node;
  }

  /** The node at the other end. */
  public int other(int node) {
    return a == node ? b : a;
  }

  /** Returns an edge between other nodes with the same bandwidths. */
  Edge map(IntUnaryOperator node) {
    return new Edge(node.applyAsInt(a), node.applyAsInt(b), type, there, back);
  }

  /** The larger bandwidth of the two directions in GB/s. */
  public float bwGBps() {
    return Math.max(there, back);
  }

  /** The bandwidth in GB/s; both bandwidths if the directions differ. */
  public String text() {
    String first = PrintfNumber.general(there);
    return there == back ? first : first + "/" + PrintfNumber.general(back);
  }
}
