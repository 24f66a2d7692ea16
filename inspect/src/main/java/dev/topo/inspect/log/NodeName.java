package dev.topo.inspect.log;

import dev.topo.model.node.NodeId;
import dev.topo.model.node.NodeType;

/**
 * A node as the log writes it: {@code GPU/0-1b000}.
 *
 * @param type its type
 * @param id its id
 */
public record NodeName(NodeType type, NodeId id) {
  /** A regular expression for names, with groups for type, host and number. */
  static final String REGEX = "(GPU|PCI|NVS|CPU|NIC|NET)/([0-9a-f]+)-([0-9a-f]+)";

  static NodeName of(String type, String systemId, String localId) {
    return new NodeName(
        NodeType.valueOf(type),
        new NodeId(Integer.parseUnsignedInt(systemId, 16), Long.parseUnsignedLong(localId, 16)));
  }

  @Override
  public String toString() {
    return type + "/" + id;
  }
}
