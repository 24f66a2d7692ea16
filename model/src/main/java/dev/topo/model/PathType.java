package dev.topo.model;

/**
 * How far apart two nodes are: the worst segment of the path, nearest first ({@code PATH_*} in
 * {@code nccl:src/graph/topo.h}). NCCL compares the numbers, prints them in its log ("distance 7
 * &gt; 4") and takes the names in its settings.
 */
public enum PathType {
  /** The same node. */
  LOC(0),
  /** NVLink. */
  NVL(1),
  /** NVLink through another GPU. */
  NVB(2),
  /** NVLink-C2C between GPU and CPU. */
  C2C(3),
  /** At most one PCI bridge. */
  PIX(4),
  /** Several PCI bridges, without the host bridge. */
  PXB(5),
  /** From a GPU over C2C to the CPU and over PCI to the NIC. */
  P2C(6),
  /** From a GPU over NVLink to another GPU that is close to the NIC. */
  PXN(7),
  /** Through a PCI host bridge, usually the CPU. */
  PHB(8),
  /** Across NUMA domains. */
  SYS(9),
  /** Through the network. */
  NET(10),
  /** No connection. */
  DIS(11);

  private static final PathType[] BY_RANK = values();

  private final int rank;

  PathType(int rank) {
    this.rank = rank;
  }

  /** NCCL's number of this type: smaller is nearer. */
  public int rank() {
    return rank;
  }

  /** The type with a given {@link #rank}; fails for a number outside 0 to 11. */
  public static PathType ofRank(int rank) {
    if (rank < 0 || rank >= BY_RANK.length) {
      throw new IllegalArgumentException(
          "path type " + rank + " is not in 0.." + (BY_RANK.length - 1));
    }
    return BY_RANK[rank];
  }

  /** Whether this type is as near as {@code limit} or nearer. */
  public boolean isWithin(PathType limit) {
    return rank <= limit.rank;
  }

  /** The farther of two types. */
  public static PathType farther(PathType a, PathType b) {
    return a.rank >= b.rank ? a : b;
  }

  /** The nearer of two types. */
  public static PathType nearer(PathType a, PathType b) {
    return a.rank <= b.rank ? a : b;
  }
}
