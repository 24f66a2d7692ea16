package dev.topo.simulator.network;

import dev.topo.model.nic.SwitchMap;
import dev.topo.model.nic.SwitchMap.Uplink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The switches of a map, numbered, with the parent of each. Immutable. */
final class SwitchTree {
  /** Index of a switch that is not in the map, and of the parent of a top switch. */
  static final int NONE = -1;

  private static final double PS_PER_NS = 1000;
  private static final double GBPS_PER_GIGABYTE = 8;

  private final List<String> names;
  private final Map<String, Integer> indices = new LinkedHashMap<>();
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
    this.names = List.copyOf(indices.keySet());
    this.uplinks = names.stream().map(map::uplink).toList();
    this.above = new int[names.size()];
    this.depth = new int[names.size()];
    for (int sw = 0; sw < above.length; sw++) {
      String up = map.parents().get(names.get(sw));
      above[sw] = up == null ? NONE : indices.getOrDefault(up, NONE);
    }
    for (int sw = 0; sw < above.length; sw++) {
      for (int up = above[sw]; up != NONE; up = above[up]) {
        depth[sw]++;
      }
    }
  }

  private void number(String name) {
    indices.putIfAbsent(name, indices.size());
  }

  /** Index of a switch; {@link #NONE} if the map does not have it. */
  int index(String name) {
    return indices.getOrDefault(name, NONE);
  }

  /** True if some uplink consists of several links. */
  boolean hasLinks() {
    return uplinks.stream().flatMap(Optional::stream).anyMatch(uplink -> uplink.links() > 1);
  }

  /** Switches above the given leaves whose uplink bandwidth is unknown. */
  List<String> unknownUplinks(int[] leaves) {
    return withUplinks(leaves)
        .filter(sw -> uplinks.get(sw).isEmpty())
        .mapToObj(names::get)
        .distinct()
        .sorted()
        .toList();
  }

  /** True if no uplink above the given leaves has a known bandwidth. */
  boolean isUnlimited(int[] leaves) {
    return withUplinks(leaves).allMatch(sw -> uplinks.get(sw).isEmpty());
  }

  /** The given leaves and all switches above them, except those without a parent. */
  private IntStream withUplinks(int[] leaves) {
    return IntStream.of(leaves)
        .flatMap(
            leaf ->
                IntStream.iterate(leaf, sw -> sw != NONE && above[sw] != NONE, sw -> above[sw]));
  }

  /** Loads without any traffic. */
  Sums sums() {
    return new Sums();
  }

  /** Loads of the uplinks: index 0 is the direction up, 1 down. */
  final class Sums {
    private final double[][] flows = new double[2][names.size()];
    private final double[][] loads = new double[2][names.size()];
    private String disconnected = "";

    /** Adds other traffic. */
    void add(Sums other) {
      disconnected = disconnected.isEmpty() ? other.disconnected : disconnected;
      for (int direction = 0; direction < 2; direction++) {
        for (int sw = 0; sw < flows[direction].length; sw++) {
          flows[direction][sw] += other.flows[direction][sw];
          loads[direction][sw] += other.loads[direction][sw];
        }
      }
    }

    /**
     * Adds flows from one leaf to another; nothing if either is {@link #NONE}.
     *
     * @param count number of flows
     * @param load bytes of all flows together
     */
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
        disconnected = names.get(from) + " and " + names.get(to);
      }
    }

    /**
     * Names of two leaves with traffic between them and no switch above both; empty if all leaves
     * with traffic are connected.
     */
    String disconnected() {
      return disconnected;
    }

    /**
     * Loads of the uplinks with traffic and a known bandwidth.
     *
     * @param used only uplinks that carry some of this traffic are included
     * @param adaptive whether traffic is spread evenly over the links of an uplink
     * @param times number of groups that send the same
     */
    List<UplinkLoad.Uplink> uplinks(Sums used, boolean adaptive, int times) {
      List<UplinkLoad.Uplink> loaded = new ArrayList<>();
      for (int sw = 0; sw < names.size(); sw++) {
        for (int direction = 0; direction < 2; direction++) {
          Optional<Uplink> uplink = uplinks.get(sw);
          if (uplink.isPresent() && used.loads[direction][sw] > 0) {
            double ps =
                times * loads[direction][sw] * PS_PER_NS * GBPS_PER_GIGABYTE / uplink.get().gbps();
            loaded.add(
                new UplinkLoad.Uplink(
                    names.get(sw),
                    times * flows[direction][sw],
                    adaptive ? 1 : uplink.get().links(),
                    ps));
          }
        }
      }
      return loaded;
    }
  }
}
