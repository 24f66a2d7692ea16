package dev.topo.model.operation;

import dev.topo.model.Labels;
import dev.topo.model.graph.GraphKind;
import java.util.Map;
import java.util.Optional;

/**
 * The algorithms of NCCL's collectives, in its order ({@code NCCL_ALGO_*}, {@code
 * nccl:src/include/nccl_common.h}).
 */
public enum Algorithm {
  /** Up and down a double binary tree. */
  TREE(0, "Tree", GraphKind.TREE),
  /** Around a ring. */
  RING(1, "Ring", GraphKind.RING),
  /** In-network reduction, every GPU to every head. */
  COLLNET_DIRECT(2, "CollNetDirect", GraphKind.COLLNET_DIRECT),
  /** In-network reduction, along a chain on the node. */
  COLLNET_CHAIN(3, "CollNetChain", GraphKind.COLLNET_CHAIN),
  /** NVLink multicast on a node, with in-network reduction between nodes. */
  NVLS(4, "NVLS", GraphKind.NVLS),
  /** NVLink multicast on a node, with a tree between nodes. */
  NVLS_TREE(5, "NVLSTree", GraphKind.NVLS),
  /** Parallel aggregated trees, for one GPU on each node. */
  PAT(6, "PAT", GraphKind.TREE);

  private final int number;
  private final String label;
  private final GraphKind graph;

  Algorithm(int number, String label, GraphKind graph) {
    this.number = number;
    this.label = label;
    this.graph = graph;
  }

  /** NCCL's number. */
  public int number() {
    return number;
  }

  /** NCCL's name, as in its log and in NCCL_ALGO. */
  public String label() {
    return label;
  }

  /** The graph whose channels it runs on ({@code initTransportsRank}, {@code nccl:src/init.cc}). */
  public GraphKind graph() {
    return graph;
  }

  /** True if all its traffic between nodes needs in-network reduction. */
  public boolean isCollNet() {
    return this == COLLNET_DIRECT || this == COLLNET_CHAIN;
  }

  /** True if it uses NVLink multicast. */
  public boolean isNvls() {
    return this == NVLS || this == NVLS_TREE;
  }

  /** The algorithm with this {@link #label}, ignoring case. */
  public static Optional<Algorithm> ofLabel(String label) {
    return Labels.find(values(), Algorithm::label, label);
  }

  /** An algorithm with a protocol, as NCCL chooses them for a call. */
  public record Pair(Algorithm algorithm, Protocol protocol) {
    /** Name in text: {@code Ring/LL}. */
    public String label() {
      return algorithm.label() + "/" + protocol.label();
    }

    /** The settings by which NCCL uses nothing else. */
    public Map<String, String> settings() {
      return Map.of("NCCL_ALGO", algorithm.label(), "NCCL_PROTO", protocol.label());
    }

    @Override
    public String toString() {
      return algorithm.label() + " " + protocol.label();
    }
  }
}
