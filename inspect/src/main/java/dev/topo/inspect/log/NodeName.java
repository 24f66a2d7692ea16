package dev.topo.inspect.log;

import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import java.util.regex.MatchResult;

/**
 * Node as written in the log: {@code GPU/0-1b000}.
 *
 * @param type its type
 * @param id its id
 */
record NodeName(NodeType type, NodeId id) {
  /** A regular expression for names, with groups for type, host and number. */
  static final String REGEX = "(GPU|PCI|NVS|CPU|NIC|NET)/([0-9a-f]+)-([0-9a-f]+)";

  /** Name from the first groups of a match. */
  static NodeName of(MatchResult match) {
    int systemId = Integer.parseUnsignedInt(match.group(2), 16);
    long localId = Long.parseUnsignedLong(match.group(3), 16);
    return new NodeName(NodeType.valueOf(match.group(1)), new NodeId(systemId, localId));
  }

  @Override
  public String toString() {
    return type + "/" + id;
  }
}
