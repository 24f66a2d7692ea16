package dev.topo.simulator.workload;

import dev.topo.model.job.SettingException;
import dev.topo.model.nic.SwitchMap;
import dev.topo.simulator.network.Fabric;
import dev.topo.simulator.network.NodeOrder;
import dev.topo.simulator.workload.PlacementAnswer.Order;
import dev.topo.simulator.workload.PlacementAnswer.Share;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Finds an order of hosts with the least predicted time of a step: of all orders if they are few,
 * else of those that keep the groups of a kind below as few leaf switches as possible, which swaps
 * of hosts then improve. All are priced by the prediction. A price depends on pairs of hosts, so
 * that neither a matching nor a flow has the best order. The same input has the same answer.
 */
public final class PlacementSearch {
  /** Most orders that are all priced. */
  private static final int MOST_ORDERS = 3000;

  /** Most nodes of a job of which all orders may be priced. */
  private static final int MOST_EXHAUSTIVE = 8;

  /** Swaps times the square of the nodes: a price of a large job takes long. */
  private static final int MOST_PAIRS = 240_000;

  private static final int SEED = 1;
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final Fabric given;
  private final SwitchMap switches;
  private final List<PlacedGroup> groups;
  private final int nodes;

  /** A search for a job that has the hosts of a fabric in the given order. */
  public PlacementSearch(Fabric given, List<PlacedGroup> groups) {
    this.given = given;
    this.switches = given.switches();
    this.nodes = given.hosts().size();
    this.groups = List.copyOf(groups);
  }

  /**
   * Finds an order.
   *
   * @param free all hosts that the job may use, in the order of the map
   * @param mostBlocks most leaf switches that it may use
   * @throws SettingException if these do not have enough hosts
   */
  public PlacementAnswer of(List<String> free, int mostBlocks) {
    Map<List<String>, List<String>> byLeaf = new LinkedHashMap<>();
    for (int host : NodeOrder.bySwitch(switches, free)) {
      String name = free.get(host);
      byLeaf.computeIfAbsent(switches.route(name), key -> new ArrayList<>()).add(name);
    }
    List<List<String>> leaves =
        byLeaf.values().stream()
            .sorted(Comparator.comparingInt(hosts -> -hosts.size()))
            .limit(mostBlocks)
            .toList();
    byLeaf.values().retainAll(new HashSet<>(leaves));
    List<String> usable = byLeaf.values().stream().flatMap(List::stream).toList();
    if (usable.size() < nodes) {
      throw new SettingException(
          "%s free hosts at %s leaf switches for %s nodes, expected at least as many"
              .formatted(usable.size(), leaves.size(), nodes));
    }
    List<String> shuffled = new ArrayList<>(usable);
    Collections.shuffle(shuffled, new Random(SEED));
    List<Order> orders = new ArrayList<>();
    orders.add(priced("as given", given.hosts(), switches));
    orders.add(priced("by name, as Slurm lists hosts", byName(usable), switches));
    orders.add(priced("random", shuffled, switches));
    Set<List<String>> tried = new LinkedHashSet<>();
    boolean isExhaustive = nodes <= MOST_EXHAUSTIVE && extend(new ArrayList<>(), usable, tried);
    if (!isExhaustive) {
      tried.clear();
      tried.add(usable.subList(0, nodes));
      groups.forEach(group -> tried.add(packed(group, byLeaf.values())));
    }
    if (leaves.size() == byLeaf.size() && usable.containsAll(given.hosts())) {
      tried.add(given.hosts());
    }
    tried.add(orders.get(1).hosts());
    tried.add(orders.get(2).hosts());
    SwitchMap wide =
        new SwitchMap(switches.nodes(), switches.ports(), switches.parents(), Map.of());
    Order bound = priced("bound", given.hosts(), wide);
    int swaps = isExhaustive ? 0 : MOST_PAIRS / nodes / nodes / tried.size();
    orders.add(
        tried.stream()
            .map(hosts -> improved(priced("best found", hosts, switches), bound, usable, swaps))
            .min(Comparator.comparingDouble(Order::timeUs))
            .orElseThrow());
    return new PlacementAnswer(orders, bound, isExhaustive);
  }

  /** An order of the first of some hosts, as many as the job has nodes. */
  private Order priced(String name, List<String> hosts, SwitchMap map) {
    List<String> used = hosts.subList(0, nodes);
    List<Share> shares = new ArrayList<>();
    for (PlacedGroup group : groups) {
      int crossing = 0;
      for (List<Integer> members : group.machines()) {
        crossing +=
            members.stream().map(node -> switches.route(used.get(node))).distinct().count() > 1
                ? 1
                : 0;
      }
      double us = group.timeUs(new Fabric(map, used, given.adaptive()));
      shares.add(new Share(group.name(), us, group.machines().size(), crossing));
    }
    return new Order(name, used, shares);
  }

  /** Hosts by name, numbers as numbers. */
  private static List<String> byName(List<String> hosts) {
    return hosts.stream()
        .sorted(
            Comparator.comparing(
                name -> NUMBER.matcher(name).replaceAll(n -> "%20s".formatted(n.group()))))
        .toList();
  }

  /** Adds all orders that begin with one; hosts at the same switches are equal. False if many. */
  private boolean extend(List<String> order, List<String> hosts, Set<List<String>> orders) {
    if (order.size() == nodes) {
      return orders.add(List.copyOf(order)) && orders.size() <= MOST_ORDERS;
    }
    Set<List<String>> places = new HashSet<>();
    boolean isAll = true;
    for (String host : hosts) {
      List<String> place =
          switches.ports(host).values().stream().map(SwitchMap.Port::leaf).toList();
      if (isAll && !order.contains(host) && places.add(place)) {
        order.add(host);
        isAll = extend(order, hosts, orders);
        order.remove(host);
      }
    }
    return isAll;
  }

  /** An order with each group at the first leaf that has hosts for it, else at the emptiest. */
  private List<String> packed(PlacedGroup group, Iterable<List<String>> byLeaf) {
    List<List<String>> left = new ArrayList<>();
    byLeaf.forEach(hosts -> left.add(new ArrayList<>(hosts)));
    String[] order = new String[nodes];
    List<List<Integer>> all = new ArrayList<>(group.machines());
    all.addAll(IntStream.range(0, nodes).mapToObj(List::of).toList());
    for (List<Integer> members : all) {
      List<Integer> open = members.stream().filter(node -> order[node] == null).toList();
      int placed = 0;
      while (placed < open.size()) {
        int count = open.size() - placed;
        List<String> leaf =
            left.stream()
                .filter(hosts -> hosts.size() >= count)
                .findFirst()
                .orElseGet(() -> Collections.max(left, Comparator.comparingInt(List::size)));
        while (placed < open.size() && !leaf.isEmpty()) {
          order[open.get(placed)] = leaf.remove(0);
          placed++;
        }
      }
    }
    return List.of(order);
  }

  /** The best order after swaps of hosts, also with unused ones, that make none slower. */
  private Order improved(Order start, Order bound, List<String> usable, int swaps) {
    Order best = start;
    double last = best.timeUs();
    Set<String> all = new LinkedHashSet<>(start.hosts());
    all.addAll(usable);
    List<String> hosts = new ArrayList<>(all);
    Random random = new Random(SEED);
    for (int i = 0; i < swaps && best.timeUs() > bound.timeUs(); i++) {
      int a = random.nextInt(nodes);
      int b = random.nextInt(hosts.size());
      if (!switches.route(hosts.get(a)).equals(switches.route(hosts.get(b)))) {
        Collections.swap(hosts, a, b);
        Order other = priced(start.name(), hosts, switches);
        if (other.timeUs() > last) {
          Collections.swap(hosts, a, b);
        } else {
          last = other.timeUs();
          best = last < best.timeUs() ? other : best;
        }
      }
    }
    return best;
  }
}
