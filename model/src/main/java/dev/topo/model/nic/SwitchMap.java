package dev.topo.model.nic;

import dev.topo.model.io.Diagnostic.SourceLocation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The leaf switch of each port of each node, and the switches above it.
 *
 * @param nodes names of the nodes, in the order of the file
 * @param ports the ports by node and name; the port {@link #ANY_PORT} means all ports of the node
 * @param parents the switch above a switch; absent for the switches at the top. No switch is above
 *     itself
 * @param uplinks the links from a switch to the one above it; absent if the file does not state
 *     them
 */
public record SwitchMap(
    List<String> nodes,
    Map<String, Map<String, Port>> ports,
    Map<String, String> parents,
    Map<String, Uplink> uplinks) {
  /** Stands for all ports of a node if the map does not distinguish them. */
  public static final String ANY_PORT = "*";

  /**
   * A port of a node.
   *
   * @param leaf the switch that it is plugged into
   * @param place its location in the file
   */
  public record Port(String leaf, SourceLocation place) {}

  /**
   * The links from a switch to the one above it.
   *
   * @param gbps total bandwidth in each direction, in Gb/s
   * @param links number of equal links, of which a flow uses one; 1 if traffic is spread evenly
   *     over all links
   */
  public record Uplink(double gbps, int links) {
    /** Maximum number of links between two switches. */
    public static final int MOST_LINKS = 1024;

    public Uplink {
      if (!(gbps > 0 && gbps < Double.POSITIVE_INFINITY) || links < 1 || links > MOST_LINKS) {
        throw new IllegalArgumentException(
            links + " links of " + gbps + " Gb/s together: expected 1 to 1024 and above 0");
      }
    }
  }

  public SwitchMap {
    nodes = List.copyOf(nodes);
    Map<String, Map<String, Port>> copy = new LinkedHashMap<>();
    ports.forEach(
        (node, ofNode) -> copy.put(node, Collections.unmodifiableMap(new LinkedHashMap<>(ofNode))));
    ports = Collections.unmodifiableMap(copy);
    parents = Collections.unmodifiableMap(new LinkedHashMap<>(parents));
    uplinks = Collections.unmodifiableMap(new LinkedHashMap<>(uplinks));
  }

  /** The leaf switch of a port; empty if it is not in the map. */
  public Optional<String> leaf(String node, String port) {
    Map<String, Port> ofNode = ports(node);
    Port named = ofNode.get(port);
    return Optional.ofNullable(named == null ? ofNode.get(ANY_PORT) : named).map(Port::leaf);
  }

  /** The links from a switch to the one above it; empty if unknown, or if nothing is above it. */
  public Optional<Uplink> uplink(String name) {
    return Optional.ofNullable(uplinks.get(name));
  }

  /** This map; links whose bandwidth it does not state are as given. */
  public SwitchMap withUplinks(Uplink others) {
    Map<String, Uplink> all = new LinkedHashMap<>(uplinks);
    parents.keySet().forEach(below -> all.putIfAbsent(below, others));
    return new SwitchMap(nodes, ports, parents, all);
  }

  /** The ports of a node by name; none if it is not in the map. */
  public Map<String, Port> ports(String node) {
    return ports.getOrDefault(node, Map.of());
  }

  /**
   * The switches from the top down to the leaf of a node's first port: nodes with a common prefix
   * are near each other.
   */
  public List<String> route(String node) {
    List<String> up = new ArrayList<>();
    Map<String, Port> ofNode = ports(node);
    String at = ofNode.isEmpty() ? null : ofNode.values().iterator().next().leaf();
    while (at != null) {
      up.add(at);
      at = parents.get(at);
    }
    Collections.reverse(up);
    return up;
  }

  /** True if all ports of each node are on one switch: rails cannot be distinguished. */
  public boolean isByNode() {
    return ports.values().stream()
        .allMatch(ofNode -> Objects.equals(ofNode.keySet(), Set.of(ANY_PORT)));
  }
}
