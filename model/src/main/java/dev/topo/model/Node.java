package dev.topo.model;

/** A node of a {@link Topology}. */
public sealed interface Node permits GpuNode, PciNode, NvsNode, CpuNode, NicNode, NetNode {
  NodeType type();

  /** Who this node is among the nodes of its type. */
  NodeId id();

  Node withId(NodeId newId);

  /** Type and id as NCCL's log prints them, with a blank between: {@code GPU 0-1b000}. */
  default String label() {
    return type() + " " + id();
  }
}
