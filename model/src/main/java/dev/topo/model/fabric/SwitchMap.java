package dev.topo.model.fabric;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The leaf switch of each port of each node, and the switches above it.
 *
 * @param nodes names of the nodes, in the order of the file
 * @param leaves leaf switch by node and port; the port {@link #ANY_PORT} is all ports of the node
 * @param parents the switch above a switch; none for the switches at the top
 */
public record SwitchMap(
    List<String> nodes, Map<String, Map<String, String>> leaves, Map<String, String> parents) {
  /** All ports of a node, where the map does not distinguish them. */
  public static final String ANY_PORT = "*";

  public SwitchMap {
    nodes = List.copyOf(nodes);
    Map<String, Map<String, String>> copy = new LinkedHashMap<>();
    leaves.forEach(
        (node, ports) -> copy.put(node, Collections.unmodifiableMap(new LinkedHashMap<>(ports))));
    leaves = Collections.unmodifiableMap(copy);
    parents = Collections.unmodifiableMap(new LinkedHashMap<>(parents));
  }

  /** The leaf switch of a port; empty if the map does not know it. */
  public Optional<String> leaf(String node, String port) {
    Map<String, String> ports = leaves.getOrDefault(node, Map.of());
    String named = ports.get(port);
    return Optional.ofNullable(named == null ? ports.get(ANY_PORT) : named);
  }

  /**
   * The switches from the top down to the leaf of a node's first port: nodes with the same
   * beginning are near.
   */
  public List<String> route(String node) {
    Map<String, String> ports = leaves.getOrDefault(node, Map.of());
    LinkedHashSet<String> up = new LinkedHashSet<>();
    String at = ports.isEmpty() ? null : ports.values().iterator().next();
    while (at != null && up.add(at)) {
      at = parents.get(at);
    }
    List<String> down = new ArrayList<>(up);
    Collections.reverse(down);
    return down;
  }

  /** Whether all ports of each node are at one switch: rails cannot be distinguished. */
  public boolean isByNode() {
    return leaves.values().stream()
        .allMatch(ports -> Objects.equals(ports.keySet(), Set.of(ANY_PORT)));
  }
}
