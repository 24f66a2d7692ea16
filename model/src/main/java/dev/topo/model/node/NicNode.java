package dev.topo.model.node;

import java.util.Objects;

/**
 * A network card.
 *
 * @param id host and bus id; local number 0 for the virtual card that holds ports without PCI
 *     device
 */
public record NicNode(NodeId id) implements Node {
  /** Checks that the id is there. */
  public NicNode {
    Objects.requireNonNull(id, "id");
  }

  @Override
  public NodeType type() {
    return NodeType.NIC;
  }
}
