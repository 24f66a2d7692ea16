package dev.topo.model.graph;

import dev.topo.model.Labels;
import java.util.Optional;

/**
 * The graphs that NCCL searches on each node, in the order of its graph files ({@code
 * initTransportsRank}, {@code nccl:src/init.cc}).
 */
public enum GraphKind {
  RING(0, Pattern.RING),
  TREE(1, Pattern.BALANCED_TREE),
  COLLNET_DIRECT(4, Pattern.COLLNET_DIRECT),
  COLLNET_CHAIN(2, Pattern.TREE),
  /** For the NVLS and NVLSTree algorithms. */
  NVLS(3, Pattern.NVLS);

  private final int id;
  private final Pattern pattern;

  GraphKind(int id, Pattern pattern) {
    this.id = id;
    this.pattern = pattern;
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
    return Labels.of(this);
  }

  /** The graph with a label. */
  public static Optional<GraphKind> ofLabel(String label) {
    return Labels.exact(values(), GraphKind::label, label);
  }

  /** True if it needs in-network reduction. */
  public boolean isCollNet() {
    return this == COLLNET_DIRECT || this == COLLNET_CHAIN;
  }

  /**
   * The shapes that NCCL searches channels for ({@code NCCL_TOPO_PATTERN_*}, {@code
   * nccl:src/include/graph.h}).
   */
  public enum Pattern {
    /**
     * A chain whose network traffic is spread over its first two GPUs: parent and one child at the
     * first, one at the second.
     */
    BALANCED_TREE(1),
    /** A chain whose parent is at its first GPU and whose children are at its second. */
    SPLIT_TREE(2),
    /** A chain with all network traffic at its first GPU. */
    TREE(3),
    /** A ring, or a chain from NIC to NIC if the job spans several nodes. */
    RING(4),
    /** A GPU at the NVSwitch, reached by all others through multicast. */
    NVLS(5),
    /** A GPU that collects from all others and sends to the network for in-network reduction. */
    COLLNET_DIRECT(6);

    private final int number;

    Pattern(int number) {
      this.number = number;
    }

    /** NCCL's number of the pattern, as in graph files. */
    public int number() {
      return number;
    }

    /** True if it is one of the three trees. */
    public boolean isTree() {
      return this == BALANCED_TREE || this == SPLIT_TREE || this == TREE;
    }

    /** The pattern with a given number; fails for a number outside 1 to 6. */
    public static Pattern ofNumber(int number) {
      for (Pattern pattern : values()) {
        if (pattern.number == number) {
          return pattern;
        }
      }
      throw new IllegalArgumentException("pattern " + number + " is not in 1..6");
    }
  }
}
