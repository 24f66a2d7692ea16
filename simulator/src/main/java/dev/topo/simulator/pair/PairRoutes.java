package dev.topo.simulator.pair;

import dev.topo.model.Last;
import dev.topo.model.nic.SwitchMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The switches that a pair of hosts uses, if a switch map is given. */
record PairRoutes(Optional<SwitchMap> map) {
  private static final PairRoutes UNKNOWN = new PairRoutes(Optional.empty());

  static PairRoutes of(Optional<SwitchMap> map) {
    return map.isEmpty() ? UNKNOWN : new PairRoutes(map);
  }

  /**
   * Lists the switches above a port, from its leaf up; empty without a map or if the map does not
   * contain the host.
   */
  List<String> up(String host, String nic) {
    if (map.isEmpty()) {
      return List.of();
    }
    SwitchMap switches = map.get();
    String name = switches.ports(host).isEmpty() ? host.replaceFirst("\\..*", "") : host;
    List<String> up = new ArrayList<>();
    Optional<String> at = switches.leaf(name, nic);
    if (at.isEmpty()) {
      List<String> down = switches.route(name);
      at = down.isEmpty() ? Optional.empty() : Optional.of(Last.of(down));
    }
    while (at.isPresent()) {
      up.add(at.get());
      at = Optional.ofNullable(switches.parents().get(at.get()));
    }
    return up;
  }

  /** Describes the distance between two ports; empty without a map. */
  Optional<String> distance(String first, String firstNic, String second, String secondNic) {
    List<String> one = up(first, firstNic);
    List<String> other = up(second, secondNic);
    if (one.isEmpty() || other.isEmpty()) {
      return map.isEmpty() ? Optional.empty() : Optional.of("on unknown switches");
    }
    for (int i = 0; i < one.size(); i++) {
      if (other.contains(one.get(i))) {
        return Optional.of(i == 0 ? "within a leaf" : "over " + (2 * i + 1) + " switches");
      }
    }
    return Optional.of("across the network");
  }
}
