package dev.topo.inspect.fabric;

import dev.topo.model.fabric.SwitchMap;
import dev.topo.model.graph.Channel;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.NodeId;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counts, channel by channel, the hops of a job that change rail or leave their leaf switch. Time
 * grows with channels times ranks.
 */
public final class FabricReport {
  private final Connection connection;
  private final SwitchMap switches;
  private final List<String> hosts;
  private final List<ChannelHops> channels = new ArrayList<>();
  private final Map<String, HopCount> bySwitch = new TreeMap<>();
  private final Map<String, HopCount> byRail = new TreeMap<>();

  /**
   * The hops of a channel.
   *
   * @param channel its number
   * @param ring hops of the ring
   * @param tree hops of the tree, each edge once
   */
  public record ChannelHops(int channel, HopCount ring, HopCount tree) {
    /** Ring and tree together. */
    public HopCount total() {
      return ring.plus(tree);
    }
  }

  /**
   * Hops between nodes.
   *
   * @param hops all of them
   * @param crossRail those that leave by one port and arrive at one of another number
   * @param crossSwitch those between ports at different leaf switches
   * @param unknown those with an end that the switch map does not know
   */
  public record HopCount(int hops, int crossRail, int crossSwitch, int unknown) {
    /** No hops. */
    public static final HopCount NONE = new HopCount(0, 0, 0, 0);

    /** The sum of two counts. */
    public HopCount plus(HopCount other) {
      return new HopCount(
          hops + other.hops,
          crossRail + other.crossRail,
          crossSwitch + other.crossSwitch,
          unknown + other.unknown);
    }
  }

  /**
   * The report on a job.
   *
   * @param hosts the name of each node of the connection in the switch map, in rank order
   */
  public FabricReport(Connection connection, SwitchMap switches, List<String> hosts) {
    if (hosts.size() != connection.nNodes()) {
      throw new IllegalArgumentException(
          "%s host names for %s nodes, expected one for each"
              .formatted(hosts.size(), connection.nNodes()));
    }
    this.connection = connection;
    this.switches = switches;
    this.hosts = List.copyOf(hosts);
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      channels.add(new ChannelHops(channel, ring(channel), tree(channel)));
    }
  }

  /** The channels, in order. */
  public List<ChannelHops> channels() {
    return List.copyOf(channels);
  }

  /** All channels together. */
  public HopCount total() {
    return channels.stream().map(ChannelHops::total).reduce(HopCount.NONE, HopCount::plus);
  }

  private HopCount ring(int channel) {
    HopCount count = HopCount.NONE;
    int nodes = connection.nNodes();
    for (int node = 0; nodes > 1 && node < nodes; node++) {
      int next = (node + 1) % nodes;
      Optional<Channel.Nets> from = connection.rings().nets(channel, node);
      Optional<Channel.Nets> to = connection.rings().nets(channel, next);
      if (from.isPresent() && to.isPresent()) {
        count = count.plus(hop(node, from.get().out(), next, to.get().in()));
      }
    }
    return count;
  }

  private HopCount tree(int channel) {
    HopCount count = HopCount.NONE;
    Trees trees = connection.trees();
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      int up = trees.links(channel, rank).up();
      if (up == Connection.NONE || connection.nodeOf(up) == connection.nodeOf(rank)) {
        continue;
      }
      Optional<NodeId> from = trees.net(channel, rank);
      Optional<NodeId> to = trees.net(channel, up);
      if (from.isPresent() && to.isPresent()) {
        count =
            count.plus(hop(connection.nodeOf(rank), from.get(), connection.nodeOf(up), to.get()));
      }
    }
    return count;
  }

  private HopCount hop(int fromNode, NodeId fromPort, int toNode, NodeId toPort) {
    boolean sameRail = fromPort.localId() == toPort.localId();
    Optional<String> from = leaf(fromNode, fromPort);
    Optional<String> to = leaf(toNode, toPort);
    boolean known = from.isPresent() && to.isPresent();
    HopCount hop =
        new HopCount(1, sameRail ? 0 : 1, known && !from.equals(to) ? 1 : 0, known ? 0 : 1);
    from.ifPresent(leaf -> bySwitch.merge(leaf, hop, HopCount::plus));
    to.filter(leaf -> !from.equals(to))
        .ifPresent(leaf -> bySwitch.merge(leaf, hop, HopCount::plus));
    byRail.merge(connection.portName(fromNode, fromPort), hop, HopCount::plus);
    return hop;
  }

  /** The hops that begin or end at each leaf switch. */
  public Map<String, HopCount> bySwitch() {
    return Collections.unmodifiableMap(bySwitch);
  }

  /** The hops that begin at each port name: the rails, where all nodes name their ports alike. */
  public Map<String, HopCount> byRail() {
    return Collections.unmodifiableMap(byRail);
  }

  /** The leaf switch of a port, which the map may name as NCCL does or by its number. */
  private Optional<String> leaf(int node, NodeId port) {
    String host = hosts.get(node);
    Optional<String> byName = switches.leaf(host, connection.portName(node, port));
    return byName.isPresent() ? byName : switches.leaf(host, String.valueOf(port.localId()));
  }

  /** The ports of the first node that no hop uses, by name: what a job leaves idle. */
  public List<String> idlePorts() {
    List<NodeId> used = new ArrayList<>();
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      connection
          .rings()
          .nets(channel, 0)
          .ifPresent(nets -> used.addAll(List.of(nets.in(), nets.out())));
      for (int rank : connection.ranksOf(0)) {
        connection.trees().net(channel, rank).ifPresent(used::add);
      }
    }
    return connection.domain(0).topology().nets().stream()
        .filter(net -> !used.contains(net.id()))
        .map(NetNode::name)
        .toList();
  }
}
