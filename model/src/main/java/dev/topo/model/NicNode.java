package dev.topo.model;

/**
 * A network card.
 *
 * @param id host and bus id; local number 0 for the virtual card that holds ports without PCI
 *     device
 */
public record NicNode(NodeId id) implements Node {
  @Override
  public NodeType type() {
    return NodeType.NIC;
  }

  @Override
  public NicNode withId(NodeId newId) {
    return new NicNode(newId);
  }
}
