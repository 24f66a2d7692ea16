package dev.topo.simulator.network;

import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.nic.SwitchMap;
import dev.topo.search.connect.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Counts, channel by channel, the hops of a job that change rail or leave their leaf switch. Runs
 * in time proportional to channels times ranks.
 */
public final class FabricReport {
  private final Connection connection;
  private final PortLeaves leaves;
  private final List<ChannelHops> channels = new ArrayList<>();
  private final Map<String, HopCount> bySwitch = new TreeMap<>();
  private final Map<String, HopCount> byRail = new TreeMap<>();

  /**
   * The hops of a channel.
   *
   * @param channel number of the channel
   * @param ring hops of the ring
   * @param tree hops of the tree; each edge counts once
   */
  public record ChannelHops(int channel, HopCount ring, HopCount tree) {
    /** Hops of ring and tree together. */
    HopCount total() {
      return ring.plus(tree);
    }
  }

  /**
   * Numbers of hops between nodes.
   *
   * @param hops all hops
   * @param crossRail hops between ports with different numbers
   * @param crossSwitch hops between ports at different leaf switches
   * @param unknown hops with a port that is not in the switch map
   */
  public record HopCount(int hops, int crossRail, int crossSwitch, int unknown) {
    /** No hops. */
    public static final HopCount NONE = new HopCount(0, 0, 0, 0);

    /** The sum of two counts. */
    HopCount plus(HopCount other) {
      return new HopCount(
          hops + other.hops,
          crossRail + other.crossRail,
          crossSwitch + other.crossSwitch,
          unknown + other.unknown);
    }
  }

  /**
   * Counts the hops of a job.
   *
   * @param hosts name of each node of the connection in the switch map, in rank order
   */
  public FabricReport(Connection connection, SwitchMap switches, List<String> hosts) {
    this.connection = connection;
    this.leaves = new PortLeaves(connection, switches, hosts);
    NetworkHops hops = new NetworkHops(connection);
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      int number = channel;
      channels.add(
          new ChannelHops(
              channel,
              record(visitor -> hops.ring(number, visitor)),
              record(visitor -> hops.tree(number, visitor))));
    }
  }

  /** Hops of each channel, in order. */
  public List<ChannelHops> channels() {
    return List.copyOf(channels);
  }

  /** Hops of all channels together. */
  public HopCount total() {
    return channels.stream().map(ChannelHops::total).reduce(HopCount.NONE, HopCount::plus);
  }

  /** Adds hops to the totals of their switches and rails, and returns their sum. */
  private HopCount record(Consumer<NetworkHops.Visitor> hops) {
    List<HopCount> counts = new ArrayList<>();
    hops.accept((from, fromPort, to, toPort) -> counts.add(recordHop(from, fromPort, to, toPort)));
    return counts.stream().reduce(HopCount.NONE, HopCount::plus);
  }

  /** Adds a hop to the totals of its leaf switches and its rail, and returns its count. */
  private HopCount recordHop(int fromNode, NodeId fromPort, int toNode, NodeId toPort) {
    boolean sameRail = fromPort.localId() == toPort.localId();
    Optional<String> from = leaves.leaf(fromNode, fromPort);
    Optional<String> to = leaves.leaf(toNode, toPort);
    boolean known = from.isPresent() && to.isPresent();
    HopCount hop =
        new HopCount(1, sameRail ? 0 : 1, known && !from.equals(to) ? 1 : 0, known ? 0 : 1);
    from.ifPresent(leaf -> bySwitch.merge(leaf, hop, HopCount::plus));
    to.filter(leaf -> !from.equals(to))
        .ifPresent(leaf -> bySwitch.merge(leaf, hop, HopCount::plus));
    byRail.merge(connection.portName(fromNode, fromPort), hop, HopCount::plus);
    return hop;
  }

  /** Hops that start or end at each leaf switch, by its name. */
  public Map<String, HopCount> bySwitch() {
    return Collections.unmodifiableMap(bySwitch);
  }

  /**
   * Hops that start at each port, by its name. If all nodes use the same port names, these are the
   * rails.
   */
  public Map<String, HopCount> byRail() {
    return Collections.unmodifiableMap(byRail);
  }

  /** Names of the ports of the first node that no hop uses. */
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
