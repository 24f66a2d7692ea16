package dev.topo.model;

import java.util.Comparator;

/**
 * A link in one direction. Parallel links of one type between two nodes are one link with the sum
 * of their bandwidths.
 *
 * @param from index of the node that it leaves
 * @param to index of the node that it enters
 * @param type what it is made of
 * @param bwGBps bandwidth in GB/s in this direction (NCCL computes it in single precision)
 */
public record Link(int from, int to, LinkType type, float bwGBps) {
  /** Total, as no two links have equal ends and type. */
  public static final Comparator<Link> BY_ENDS =
      Comparator.comparingInt(Link::from).thenComparingInt(Link::to).thenComparing(Link::type);
}
