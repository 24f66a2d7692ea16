package dev.topo.visualizer.drawing;

import dev.topo.model.Alike;
import dev.topo.model.Link;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Decides which hosts of a machine are drawn. A machine is a single host or an NVLink domain of
 * several. Equal hosts of a domain form a group, of which one is drawn. Hosts are equal if they
 * have the same devices and links, apart from bus ids and ranks.
 */
public final class HostFold {
  private static final int NV_SWITCH = -1;

  private final Topology topology;
  private final Map<Integer, List<Integer>> nodesOfHost;
  private final List<HostGroup> groups;

  private HostFold(
      Topology topology, Map<Integer, List<Integer>> nodesOfHost, List<HostGroup> groups) {
    this.topology = topology;
    this.nodesOfHost = nodesOfHost;
    this.groups = List.copyOf(groups);
  }

  /** Groups equal hosts, of which one is drawn. */
  public static HostFold of(Topology topology) {
    return of(topology, Optional.empty());
  }

  /** Groups equal hosts on which a channel uses the same links; one host of each group is drawn. */
  public static HostFold of(Topology topology, Optional<ChannelRoute> route) {
    Map<Integer, List<Integer>> nodes = nodesOfHost(topology);
    Map<List<String>, Map<List<String>, List<Integer>>> alike = new LinkedHashMap<>();
    nodes.forEach(
        (host, ofHost) -> {
          HostDescription description = new HostDescription(topology, ofHost);
          alike
              .computeIfAbsent(description.devices(), first -> new LinkedHashMap<>())
              .computeIfAbsent(
                  route.map(description::use).orElse(List.of()), first -> new ArrayList<>())
              .add(host);
        });
    List<HostGroup> groups = new ArrayList<>();
    for (Map<List<String>, List<Integer>> byUse : alike.values()) {
      byUse.values().forEach(hosts -> groups.add(new HostGroup(hosts, byUse.size() > 1)));
    }
    groups.sort(Comparator.comparingInt(HostGroup::drawn));
    return new HostFold(topology, nodes, groups);
  }

  /** Draws every host: each group is a single host. */
  public static HostFold none(Topology topology) {
    Map<Integer, List<Integer>> nodes = nodesOfHost(topology);
    List<HostGroup> groups =
        nodes.keySet().stream().map(host -> new HostGroup(List.of(host), false)).toList();
    return new HostFold(topology, nodes, groups);
  }

  /**
   * The nodes of each host, ordered by kind and then by bus id or number, so that equal hosts have
   * the same order.
   */
  private static Map<Integer, List<Integer>> nodesOfHost(Topology topology) {
    List<Integer> nodes =
        IntStream.range(0, topology.size())
            .filter(node -> topology.node(node).type() != NodeType.NVS)
            .boxed()
            .sorted(
                Comparator.comparing((Integer node) -> topology.node(node).type())
                    .thenComparing(node -> topology.node(node).id().localId()))
            .toList();
    return new TreeMap<>(Alike.by(nodes, node -> topology.node(node).systemId()));
  }

  /** True if the machine has several hosts. */
  public boolean isDomain() {
    return nodesOfHost.size() > 1;
  }

  /** Number of hosts. */
  public int nHosts() {
    return nodesOfHost.size();
  }

  /** The groups, by their first host. */
  public List<HostGroup> groups() {
    return groups;
  }

  /** The group of a host. */
  public HostGroup groupOf(int host) {
    return groups.stream().filter(group -> group.hosts().contains(host)).findFirst().orElseThrow();
  }

  /** The host of a node; undefined for an NVSwitch, which all hosts share. */
  public int hostOf(int node) {
    return topology.node(node).systemId();
  }

  /** True if a node is drawn. */
  public boolean isDrawn(int node) {
    return isShared(node) || groups.stream().anyMatch(group -> group.drawn() == hostOf(node));
  }

  private boolean isShared(int node) {
    return topology.node(node).type() == NodeType.NVS;
  }

  /**
   * Returns the node of a host that corresponds to a node of an equal host.
   *
   * @param host a host of the same group
   */
  public int counterpart(int node, int host) {
    if (isShared(node) || host == hostOf(node)) {
      return node;
    }
    return nodes(host).get(nodes(hostOf(node)).indexOf(node));
  }

  private List<Integer> nodes(int host) {
    return Objects.requireNonNull(nodesOfHost.get(host));
  }

  /**
   * A canonical description of a host that refers to nodes by position, so that equal hosts have
   * equal descriptions.
   */
  private record HostDescription(Topology topology, List<Integer> nodes) {
    List<String> devices() {
      List<String> devices = new ArrayList<>();
      for (int node : nodes) {
        devices.add(text(topology.node(node)));
        topology.links(node).stream().map(this::text).sorted().forEach(devices::add);
      }
      return devices;
    }

    private static String text(Node node) {
      if (node instanceof GpuNode gpu) {
        return "GPU %s %s %s".formatted(gpu.dev(), gpu.sm(), gpu.gdr());
      }
      if (node instanceof NetNode net) {
        return "NET %s %s %s %s"
            .formatted(PortName.of(net), net.bwGBps(), net.gdr(), net.collNet());
      }
      if (node instanceof CpuNode cpu) {
        return "CPU %s %s %s %s".formatted(cpu.numaId(), cpu.arch(), cpu.vendor(), cpu.model());
      }
      return node.type().toString();
    }

    /** The links that a channel uses and those that are full; for a star, also the head. */
    List<String> use(ChannelRoute route) {
      List<String> used = new ArrayList<>();
      if (VisitOrder.isStar(route.graph())) {
        used.add("head " + nodes.indexOf(route.gpus().get(0)));
      }
      route.links().stream().filter(this::isHere).map(this::text).sorted().forEach(used::add);
      route.full().entrySet().stream()
          .filter(entry -> isHere(entry.getKey()))
          .map(entry -> text(entry.getKey()) + " full " + entry.getValue())
          .sorted()
          .forEach(used::add);
      return used;
    }

    private boolean isHere(Link link) {
      return nodes.contains(link.from()) || nodes.contains(link.to());
    }

    private String text(Link link) {
      return "%s %s-%s %s"
          .formatted(link.type(), place(link.from()), place(link.to()), link.bwGBps());
    }

    private int place(int node) {
      return topology.node(node).type() == NodeType.NVS ? NV_SWITCH : nodes.indexOf(node);
    }
  }
}
