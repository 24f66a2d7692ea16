package dev.topo.model;

/**
 * The NVSwitches of a machine, as one node.
 *
 * @param id always {@code 0-0}: NCCL makes one such node
 */
public record NvsNode(NodeId id) implements Node {
  @Override
  public NodeType type() {
    return NodeType.NVS;
  }

  @Override
  public NvsNode withId(NodeId newId) {
    return new NvsNode(newId);
  }
}
