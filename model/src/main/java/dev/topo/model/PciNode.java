package dev.topo.model;

/**
 * A PCI switch or bridge.
 *
 * @param id host and bus id
 * @param busId PCI bus id as the topology file writes it
 * @param device vendor, device, subsystem vendor and subsystem device, 16 bits each, highest first;
 *     0 where not known
 */
public record PciNode(NodeId id, BusId busId, long device) implements Node {
  @Override
  public NodeType type() {
    return NodeType.PCI;
  }

  @Override
  public PciNode withId(NodeId newId) {
    return new PciNode(newId, busId, device);
  }
}
