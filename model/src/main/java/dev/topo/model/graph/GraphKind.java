package dev.topo.model.graph;

/**
 * The graphs that NCCL searches on each node, in the order of its graph files ({@code
 * initTransportsRank}, {@code nccl:src/init.cc}).
 */
public enum GraphKind {
  RING(0, Pattern.RING, "ring"),
  TREE(1, Pattern.BALANCED_TREE, "tree"),
  COLLNET_DIRECT(4, Pattern.COLLNET_DIRECT, "collnet-direct"),
  COLLNET_CHAIN(2, Pattern.TREE, "collnet-chain"),
  /** For the NVLS and NVLSTree algorithms. */
  NVLS(3, Pattern.NVLS, "nvls");

  private final int id;
  private final Pattern pattern;
  private final String label;

  GraphKind(int id, Pattern pattern, String label) {
    this.id = id;
    this.pattern = pattern;
    this.label = label;
  }

  /** NCCL's number of the graph, as in graph files. */
  public int id() {
    return id;
  }

  /** The pattern that the search begins with. */
  public Pattern pattern() {
    return pattern;
  }

  public String label() {
    return label;
  }

  /** True if it needs in-network reduction. */
  public boolean isCollNet() {
    return this == COLLNET_DIRECT || this == COLLNET_CHAIN;
  }
}
