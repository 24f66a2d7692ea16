package dev.topo.simulator.sweep;

import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.job.SettingException;
import dev.topo.model.nic.SwitchMap;
import dev.topo.model.nic.SwitchMap.Port;
import dev.topo.model.nic.SwitchMap.Uplink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Builds the switches of a cluster of equal nodes: leaves of one size below one spine. If
 * rail-optimized, groups have as many nodes as a leaf has ports, and the n-th port of each node
 * goes to the n-th leaf of its group. Otherwise all ports of a node go to one leaf, which has as
 * many nodes as fit. The links of a leaf to the spine have the rate of its fastest port; their
 * number is that of the used ports, divided by the oversubscription and rounded up.
 */
final class LeafSwitches {
  private static final String SPINE = "spine";
  private static final int GBPS_PER_GIGABYTE = 8;

  private final Switches.Leaves form;
  private final Topology node;
  private final Map<String, Map<String, Port>> ports = new LinkedHashMap<>();
  private final Map<String, List<Double>> ratesByLeaf = new HashMap<>();
  private final Set<String> leaves = new LinkedHashSet<>();

  private LeafSwitches(Switches.Leaves form, Topology node) {
    this.form = form;
    this.node = node;
  }

  /** Name of a node by its number. */
  private static String host(int node) {
    return "n" + node;
  }

  /** Names of the nodes in rank order. */
  static List<String> hosts(int nodes) {
    return IntStream.range(0, nodes).mapToObj(n -> host(n)).toList();
  }

  /**
   * The switch map of a cluster.
   *
   * @param nodes number of nodes
   * @throws SettingException if the ports of a node do not fit on one leaf although they have to,
   *     or if ports have equal names
   */
  static SwitchMap of(Switches.Leaves form, Topology node, int nodes) {
    return new LeafSwitches(form, node).map(nodes);
  }

  private SwitchMap map(int nodes) {
    List<NetNode> nets = node.nets();
    long names = nets.stream().map(NetNode::name).distinct().count();
    if (names < nets.size()) {
      throw new SettingException(
          "fabric %s: ports of the machine have equal names".formatted(form.name()));
    }
    if (!form.rail() && nets.size() > form.ports()) {
      throw new SettingException(
          "fabric %s: a node has %s ports, a leaf %s: expected as many"
              .formatted(form.name(), nets.size(), form.ports()));
    }
    int perLeaf = form.rail() ? form.ports() : form.ports() / Math.max(1, nets.size());
    for (int n = 0; n < nodes; n++) {
      Map<String, Port> nodePorts = new LinkedHashMap<>();
      for (int p = 0; p < nets.size(); p++) {
        String leaf = "leaf" + n / perLeaf + (form.rail() ? "-rail" + p : "");
        leaves.add(leaf);
        ratesByLeaf
            .computeIfAbsent(leaf, key -> new ArrayList<>())
            .add((double) nets.get(p).bwGBps() * GBPS_PER_GIGABYTE);
        nodePorts.put(nets.get(p).name(), new Port(leaf, form.location()));
      }
      ports.put(host(n), nodePorts);
    }
    Map<String, String> parents = new LinkedHashMap<>();
    Map<String, Uplink> uplinks = new LinkedHashMap<>();
    for (String leaf : leaves) {
      parents.put(leaf, SPINE);
      uplinks.put(leaf, uplink(ratesByLeaf.getOrDefault(leaf, List.of())));
    }
    return new SwitchMap(hosts(nodes), ports, parents, uplinks);
  }

  private Uplink uplink(List<Double> rates) {
    double rate = rates.stream().mapToDouble(gbps -> gbps).max().orElseThrow();
    int links = (int) Math.ceil(rates.size() / form.oversubscription());
    return new Uplink(links * rate, links);
  }
}
