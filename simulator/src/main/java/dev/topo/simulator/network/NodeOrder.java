package dev.topo.simulator.network;

import dev.topo.model.nic.SwitchMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Orders a job's nodes so that neighbours share a switch. */
public final class NodeOrder {
  private NodeOrder() {}

  /**
   * Indices of the hosts in an order that keeps hosts below the same switch together, at every
   * level of the network. Switches appear in the order in which the given list first uses them, and
   * hosts at one leaf keep their order, so that the order changes as little as possible. Rings then
   * leave each leaf once, and trees join nearby nodes first.
   */
  public static List<Integer> bySwitch(SwitchMap switches, List<String> hosts) {
    Map<List<String>, Integer> firstHost = new HashMap<>();
    List<int[]> keys = new ArrayList<>();
    for (int host = 0; host < hosts.size(); host++) {
      List<String> route = switches.route(hosts.get(host));
      int[] key = new int[route.size()];
      for (int level = 0; level < key.length; level++) {
        Integer first = firstHost.putIfAbsent(List.copyOf(route.subList(0, level + 1)), host);
        key[level] = first == null ? host : first;
      }
      keys.add(key);
    }
    return IntStream.range(0, hosts.size())
        .boxed()
        .sorted((a, b) -> Arrays.compare(keys.get(a), keys.get(b)))
        .toList();
  }
}
