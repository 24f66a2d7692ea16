package dev.topo.model.node;

import java.util.Objects;

/**
 * The NVSwitches of a machine, as one node.
 *
 * @param id always {@code 0-0}: NCCL makes one such node
 */
public record NvsNode(NodeId id) implements Node {
  /** Checks that the id is there. */
  public NvsNode {
    Objects.requireNonNull(id, "id");
  }

  @Override
  public NodeType type() {
    return NodeType.NVS;
  }
}
