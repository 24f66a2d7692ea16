package dev.topo.model;

/**
 * A network card.
 *
 * @param id host and bus id; local number 0 for the virtual card that holds ports without PCI
 *     device
 * @param isLinkStated whether the file states speed and width of its PCI link; virtual machines
 *     often do not, and NCCL then assumes 16 lanes of PCIe 3.0
 */
public record NicNode(NodeId id, boolean isLinkStated) implements Node {
  @Override
  public NodeType type() {
    return NodeType.NIC;
  }

  @Override
  public NicNode withId(NodeId newId) {
    return new NicNode(newId, isLinkStated);
  }
}
