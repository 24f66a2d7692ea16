package dev.topo.search.rules;

/** Limits of topology files and of topologies. */
public final class XmlRules extends Rules {
  public final int version = table.integer("xml.version");
  public final int maxElements = table.integer("xml.max-elements");

  public final int maxNodesPerType = table.integer("xml.max-nodes-per-type");

  /** Connections of a port that states none: as many as there are channels. */
  public final int portConnections = table.integer("channels.max");

  /** Whether {@code rail} and {@code plane} of a {@code <net>} are read (from 2.30.7 on). */
  public final boolean readsRails = !table.isFirst("xml.rails", "ignored", "read");

  XmlRules(RuleTable table) {
    super(table);
  }
}
