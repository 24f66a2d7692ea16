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

  /**
   * The medium of a direct link between two nodes ({@code LINK_*} in {@code
   * nccl:src/graph/topo.h}).
   */
  public enum LinkType {
    /** Inside one device: between PCI switches that are one chip. */
    LOC(PathType.LOC),
    NVL(PathType.NVL),
    /** NVLink-C2C between a GPU and its CPU. */
    C2C(PathType.C2C),
    PCI(PathType.PIX),
    /** The interconnect between NUMA domains. */
    SYS(PathType.SYS),
    /** From a network card to its port. */
    NET(PathType.NET);

    private final PathType pathType;

    LinkType(PathType pathType) {
      this.pathType = pathType;
    }

    /** The type of a path that consists of this link alone. */
    public PathType pathType() {
      return pathType;
    }
  }
}
