package dev.topo.search.rules;

/** Limits of topology files and of topologies. */
public final class XmlRules {
  /** The version of the format. */
  public final int version;

  /** Elements that NCCL reads of a file. */
  public final int maxElements;

  /** Nodes of one type that NCCL has room for. */
  public final int maxNodesPerType;

  /** Connections of a port that states none: as many as there are channels. */
  public final int portConnections;

  XmlRules(RuleTable table) {
    version = table.integer("xml.version");
    maxElements = table.integer("xml.max-elements");
    maxNodesPerType = table.integer("xml.max-nodes-per-type");
    portConnections = table.integer("channels.max");
  }
}
