package dev.topo.search.rules;

/** Limits of topology files and of topologies. */
public final class XmlRules extends Rules {
  public final int version = table.integer("xml.version");
  public final int maxElements = table.integer("xml.max-elements");

  public final int maxNodesPerType = table.integer("xml.max-nodes-per-type");

  /** Connections of a port that states none: as many as there are channels. */
  public final int portConnections = table.integer("channels.max");

  XmlRules(RuleTable table) {
    super(table);
  }
}
