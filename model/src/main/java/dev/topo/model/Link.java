package dev.topo.model;

import java.util.Comparator;

/**
 * A link in one direction. Parallel links of one type between two nodes are one link with the sum
 * of their bandwidths.
 *
 * @param from index of the source node
 * @param to index of the destination node
 * @param type the medium
 * @param bwGBps bandwidth in GB/s in this direction (NCCL computes it in single precision)
 */
public record Link(int from, int to, LinkType type, float bwGBps) {
  /** A total order, as no two links have equal ends and type. */
  public static final Comparator<Link> BY_ENDS =
      Comparator.comparingInt(Link::from).thenComparingInt(Link::to).thenComparing(Link::type);

  /**
   * The medium of a direct link between two nodes ({@code LINK_*} in {@code
   * nccl:src/graph/topo.h}).
   */
  public enum LinkType {
    /** Inside one device: between PCI switches on one chip. */
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

  /**
   * How far apart two nodes are: the worst segment of the path, nearest first ({@code PATH_*} in
   * {@code nccl:src/graph/topo.h}). NCCL compares the numbers, prints them in its log ("distance 7
   * &gt; 4") and accepts the names in its settings.
   */
  public enum PathType {
    LOC(0, "the same device"),
    NVL(1, "NVLink"),
    NVB(2, "NVLink through another GPU"),
    C2C(3, "NVLink-C2C between GPU and CPU"),
    PIX(4, "at most one PCI bridge"),
    PXB(5, "several PCI bridges, not the CPU"),
    P2C(6, "C2C to the CPU, then PCI to the NIC"),
    PXN(7, "NVLink to the GPU next to the NIC"),
    PHB(8, "through a PCI host bridge (the CPU)"),
    SYS(9, "across NUMA domains"),
    NET(10, "the network only"),
    DIS(11, "no path");

    private final int rank;
    private final String meaning;

    PathType(int rank, String meaning) {
      this.rank = rank;
      this.meaning = meaning;
    }

    /** The path in words: {@code NVLink through another GPU}. */
    public String meaning() {
      return meaning;
    }

    /** NCCL's number of this type: smaller is nearer. */
    public int rank() {
      return rank;
    }

    /** True if this type is as near as {@code limit} or nearer. */
    public boolean isWithin(PathType limit) {
      return rank <= limit.rank;
    }

    public static PathType farther(PathType a, PathType b) {
      return a.rank >= b.rank ? a : b;
    }

    public static PathType nearer(PathType a, PathType b) {
      return a.rank <= b.rank ? a : b;
    }
  }
}
