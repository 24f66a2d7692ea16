package dev.topo.search.rules;

import java.util.List;
import java.util.stream.Stream;

/** Limits of topology files and of topologies. */
public final class XmlRules extends Rules {
  public final int version = table.integer("xml.version");
  public final int maxElements = table.integer("xml.max-elements");

  public final int maxNodesPerType = table.integer("xml.max-nodes-per-type");

  /** Connections of a port that states none: as many as there are channels. */
  public final int portConnections = table.integer("channels.max");

  private final List<String> furtherAttributes = table.words("xml.further-attributes");

  /**
   * Attributes, each as {@code net.speed}, that NCCL writes otherwise than 2.28.9 for the machine
   * that it runs on.
   */
  public final List<String> detectedOtherwise =
      Stream.of(furtherAttributes, table.words("xml.detected-otherwise"))
          .flatMap(List::stream)
          .filter(attribute -> !attribute.equals("none"))
          .toList();

  XmlRules(RuleTable table) {
    super(table);
  }

  /** True if an attribute is read that 2.28.9 does not know. */
  public boolean readsFurther(String element, String attribute) {
    return furtherAttributes.contains(element + "." + attribute);
  }
}
