package dev.topo.simulator.network;

import dev.topo.model.nic.SwitchMap;
import dev.topo.model.nic.SwitchMap.Uplink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Switches of a map, by number, with the switch above each. Immutable. */
final class SwitchTree {
  /** Stands for a switch that is not in the map. */
  static final int NONE = -1;

  private static final double PS_PER_NS = 1000;
  private static final double GBPS_PER_GIGABYTE = 8;

  private final List<String> names;
  private final Map<String, Integer> places = new LinkedHashMap<>();
  private final int[] above;
  private final int[] depth;
  private final List<Optional<Uplink>> uplinks;

  SwitchTree(SwitchMap map) {
    map.ports().values().forEach(ports -> ports.values().forEach(port -> number(port.leaf())));
    map.parents()
        .forEach(
            (below, up) -> {
              number(below);
              number(up);
            });
    this.names = List.copyOf(places.keySet());
    this.uplinks = names.stream().map(map::uplink).toList();
    this.above = new int[names.size()];
    this.depth = new int[names.size()];
    for (int s = 0; s < above.length; s++) {
      String up = map.parents().get(names.get(s));
      above[s] = up == null ? NONE : places.getOrDefault(up, NONE);
    }
    for (int s = 0; s < above.length; s++) {
      for (int up = above[s]; up != NONE; up = above[up]) {
        depth[s]++;
      }
    }
  }

  private void number(String name) {
    places.putIfAbsent(name, places.size());
  }

  int place(String name) {
    return places.getOrDefault(name, NONE);
  }

  /** True if some uplink consists of several links. */
  boolean hasLinks() {
    return uplinks.stream().flatMap(Optional::stream).anyMatch(uplink -> uplink.links() > 1);
  }

  /** Switches above the given leaves whose uplink bandwidth is unknown. */
  List<String> unknownUplinks(int[] leaves) {
    return withUplinks(leaves)
        .filter(s -> uplinks.get(s).isEmpty())
        .mapToObj(names::get)
        .distinct()
        .sorted()
        .toList();
  }

  /** True if no uplink above the given leaves has a known bandwidth. */
  boolean isUnlimited(int[] leaves) {
    return withUplinks(leaves).allMatch(s -> uplinks.get(s).isEmpty());
  }

  /** Switches from the given leaves up, without those at the top. */
  private IntStream withUplinks(int[] leaves) {
    return IntStream.of(leaves)
        .flatMap(
            leaf -> IntStream.iterate(leaf, s -> s != NONE && above[s] != NONE, s -> above[s]));
  }

  /** Sums without any traffic. */
  Sums sums() {
    return new Sums();
  }

  /** Loads of the uplinks in each direction. */
  final class Sums {
    private final double[][] flows = new double[2][names.size()];
    private final double[][] loads = new double[2][names.size()];
    private String apart = "";

    /** Adds other traffic. */
    void add(Sums other) {
      apart = apart.isEmpty() ? other.apart : apart;
      for (int direction = 0; direction < 2; direction++) {
        for (int s = 0; s < flows[direction].length; s++) {
          flows[direction][s] += other.flows[direction][s];
          loads[direction][s] += other.loads[direction][s];
        }
      }
    }

    /** Adds flows from one leaf to another, either of which may be {@link #NONE}. */
    void add(int from, int to, double count, double load) {
      if (from == NONE || to == NONE) {
        return;
      }
      int a = from;
      int b = to;
      while (a != b) {
        boolean up = b == NONE || (a != NONE && depth[a] >= depth[b]);
        int at = up ? a : b;
        flows[up ? 0 : 1][at] += count;
        loads[up ? 0 : 1][at] += load;
        if (up) {
          a = above[a];
        } else {
          b = above[b];
        }
      }
      if (a == NONE) {
        apart = names.get(from) + " and " + names.get(to);
      }
    }

    /**
     * Names of two leaves with traffic between them and no switch above both; empty if there are
     * none.
     */
    String apart() {
      return apart;
    }

    /**
     * Uplinks with traffic and known bandwidth.
     *
     * @param used traffic that an uplink must carry to be included
     * @param adaptive whether traffic is spread evenly over their links
     * @param times number of groups that send the same
     */
    List<UplinkLoad.Uplink> uplinks(Sums used, boolean adaptive, int times) {
      List<UplinkLoad.Uplink> loaded = new ArrayList<>();
      for (int s = 0; s < names.size(); s++) {
        for (int direction = 0; direction < 2; direction++) {
          Optional<Uplink> uplink = uplinks.get(s);
          if (uplink.isPresent() && used.loads[direction][s] > 0) {
            double ps =
                times * loads[direction][s] * PS_PER_NS * GBPS_PER_GIGABYTE / uplink.get().gbps();
            loaded.add(
                new UplinkLoad.Uplink(
                    names.get(s),
                    times * flows[direction][s],
                    adaptive ? 1 : uplink.get().links(),
                    ps));
          }
        }
      }
      return loaded;
    }
  }
}
