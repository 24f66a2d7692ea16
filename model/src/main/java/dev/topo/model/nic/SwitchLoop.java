package dev.topo.model.nic;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Finds a loop in the uplinks of switches. */
final class SwitchLoop {
  private SwitchLoop() {}

  /**
   * The first switch that is above itself; empty if there is none. Linear time: no path is followed
   * twice.
   *
   * @param names the switches, in the order in which they are tried
   * @param parent the switch above one, if there is one
   */
  static Optional<String> find(Set<String> names, Function<String, Optional<String>> parent) {
    Set<String> ended = new HashSet<>();
    for (String from : names) {
      Set<String> path = new LinkedHashSet<>();
      Optional<String> at = Optional.of(from);
      while (at.isPresent() && !ended.contains(at.get())) {
        Optional<String> up = parent.apply(at.get());
        if (up.isPresent() && !path.add(at.get())) {
          return at;
        }
        at = up;
      }
      ended.addAll(path);
    }
    return Optional.empty();
  }
}
