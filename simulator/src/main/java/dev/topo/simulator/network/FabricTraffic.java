package dev.topo.simulator.network;

import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.simulator.network.SwitchTree.Sums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/**
 * The load of the uplinks of switches: each hop of a channel between nodes goes from the leaf
 * switch of one port up to the first switch above both, and down to that of the other. Runs in time
 * proportional to channels times ranks; for sends and receives between all ranks, to the square of
 * the number of nodes at different leaves.
 */
public final class FabricTraffic {
  private final Connection connection;
  private final SwitchTree tree;
  private final boolean adaptive;
  private final int groups;
  private final List<FabricTraffic> equal;
  private final List<FabricTraffic> others;
  private final double flowsOfHop;
  private final double flowsOfPeer;
  private final int[][] leaves;

  /** Sums by number of channels. */
  private final List<Sums> rings = new ArrayList<>();

  private final List<Sums> trees = new ArrayList<>();
  private final List<Sums> nvlsTrees = new ArrayList<>();
  private final List<Sums> pats = new ArrayList<>();
  private final PeerHops peers;
  private final Map<Domain, List<NodeId>> ports = new IdentityHashMap<>();

  /** Bytes that ranks send to each other. */
  @FunctionalInterface
  public interface Traffic {
    /** Bytes from one rank to another. */
    double bytes(int from, int to);
  }

  /**
   * The traffic of a job.
   *
   * @param settings NCCL_IB_QPS_PER_CONNECTION is the number of flows that share the data of a hop
   *     ({@code nccl:src/transport/net_ib.cc})
   * @param groups number of communicators over the same GPUs that send the same at the same time
   */
  public FabricTraffic(Connection connection, Fabric fabric, NcclSettings settings, int groups) {
    this.connection = connection;
    this.tree = new SwitchTree(fabric.switches());
    this.adaptive = fabric.adaptive();
    this.groups = groups;
    this.equal = List.of();
    this.others = List.of();
    this.flowsOfHop = Math.max(1, settings.integer("NCCL_IB_QPS_PER_CONNECTION", 1));
    PortLeaves known = new PortLeaves(connection, fabric.switches(), fabric.hosts());
    this.flowsOfPeer = connection.p2pChannels(0).nChannelsPerPeer() * flowsOfHop;
    this.peers = new PeerHops(connection);
    this.leaves = new int[connection.nNodes()][];
    for (int node = 0; node < leaves.length; node++) {
      int of = node;
      leaves[node] =
          ports(node).stream()
              .mapToInt(port -> known.leaf(of, port).map(tree::place).orElse(SwitchTree.NONE))
              .toArray();
    }
  }

  private FabricTraffic(
      FabricTraffic alone, List<FabricTraffic> equal, List<FabricTraffic> others) {
    this.connection = alone.connection;
    this.tree = alone.tree;
    this.adaptive = alone.adaptive;
    this.groups = alone.groups;
    this.flowsOfHop = alone.flowsOfHop;
    this.flowsOfPeer = alone.flowsOfPeer;
    this.leaves = alone.leaves;
    this.peers = alone.peers;
    this.equal = List.copyOf(equal);
    this.others = List.copyOf(others);
  }

  /** Switches whose uplink bandwidth is unknown. */
  public List<String> unknownUplinks() {
    return tree.unknownUplinks(usedLeaves());
  }

  /** True if no uplink bandwidth is known, so that no switch limits a time. */
  public boolean isUnlimited() {
    return tree.isUnlimited(usedLeaves());
  }

  private int[] usedLeaves() {
    return Arrays.stream(leaves).flatMapToInt(Arrays::stream).distinct().toArray();
  }

  /** Number of ports of the job that are not in the switch map. */
  public long unknownPorts() {
    return Arrays.stream(leaves)
        .flatMapToInt(Arrays::stream)
        .filter(leaf -> leaf == SwitchTree.NONE)
        .count();
  }

  public boolean isHashed() {
    return !adaptive && tree.hasLinks();
  }

  private List<NodeId> ports(int node) {
    return ports.computeIfAbsent(
        connection.domain(node), key -> key.topology().nets().stream().map(NetNode::id).toList());
  }

  /**
   * This traffic while other communicators send at the same time.
   *
   * @param alike traffic of communicators that the answer is for as well
   * @param rest traffic of other communicators
   */
  FabricTraffic beside(List<FabricTraffic> alike, List<FabricTraffic> rest) {
    return new FabricTraffic(this, alike, rest);
  }

  private UplinkLoad load(Function<FabricTraffic, Sums> traffic) {
    Sums used = tree.sums();
    used.add(traffic.apply(this));
    equal.forEach(other -> used.add(traffic.apply(other)));
    Sums sums = tree.sums();
    sums.add(used);
    others.forEach(other -> sums.add(traffic.apply(other)));
    return UplinkLoad.slowestOf(sums.uplinks(used, adaptive, groups), used.apart());
  }

  private NetworkHops.Taker into(Sums sums, boolean back) {
    return (from, fromPort, to, toPort) -> {
      int a = leaf(from, fromPort);
      int b = leaf(to, toPort);
      sums.add(a, b, flowsOfHop, 1);
      if (back) {
        sums.add(b, a, flowsOfHop, 1);
      }
    };
  }

  private int leaf(int node, NodeId port) {
    int place = ports(node).indexOf(port);
    return place < 0 ? SwitchTree.NONE : leaves[node][place];
  }

  /** Load of the uplinks from rings on the first channels. */
  public UplinkLoad ofRings(int channels) {
    return load(traffic -> traffic.rings(channels));
  }

  private Sums rings(int channels) {
    NetworkHops hops = new NetworkHops(connection);
    return first(mine(channels), rings, (sums, channel) -> hops.ring(channel, into(sums, false)));
  }

  /** Load of the uplinks from trees on the first channels, in both directions. */
  public UplinkLoad ofTrees(int channels) {
    return load(traffic -> traffic.trees(channels));
  }

  private Sums trees(int channels) {
    NetworkHops hops = new NetworkHops(connection);
    return first(mine(channels), trees, (sums, channel) -> hops.tree(channel, into(sums, true)));
  }

  /**
   * Load of the uplinks from trees between NVLink domains: each head carries its part of a channel.
   */
  UplinkLoad ofNvlsTrees(int channels) {
    return load(
        traffic ->
            traffic.connection.nvls().isSupported()
                ? traffic.first(channels, traffic.nvlsTrees, traffic::nvlsTree)
                : traffic.rings(channels));
  }

  /**
   * Load of the uplinks from PAT: each rank sends to the rank at distance 2^k as often as numbers
   * below the number of ranks have exactly k trailing zero bits (S. Jeaugey, "PAT: a new algorithm
   * for all-gather and reduce-scatter operations at scale", 2025).
   */
  public UplinkLoad ofPat(int channels) {
    return load(traffic -> traffic.first(traffic.mine(channels), traffic.pats, traffic::pat));
  }

  private void pat(Sums sums, int channel) {
    int ranks = connection.nRanks();
    for (int distance = 1; distance < ranks; distance *= 2) {
      int times = (ranks - 1) / distance - (ranks - 1) / (2 * distance);
      for (int rank = 0; rank < ranks; rank++) {
        sums.add(
            treeLeaf(channel, rank),
            treeLeaf(channel, (rank + distance) % ranks),
            flowsOfHop,
            times / (ranks - 1.0));
      }
    }
  }

  private int treeLeaf(int channel, int rank) {
    return connection
        .trees()
        .net(channel, rank)
        .map(net -> leaf(connection.nodeOf(rank), net))
        .orElse(SwitchTree.NONE);
  }

  private int mine(int channels) {
    return Math.min(channels, connection.nChannels());
  }

  /** Sums of the first channels; each channel is added once. */
  private Sums first(int channels, List<Sums> known, ObjIntConsumer<Sums> add) {
    for (int channel = known.size(); channel < channels; channel++) {
      Sums sums = tree.sums();
      if (channel > 0) {
        sums.add(known.get(channel - 1));
      }
      add.accept(sums, channel);
      known.add(sums);
    }
    return known.get(channels - 1);
  }

  private void nvlsTree(Sums sums, int channel) {
    Map<Domain, List<Channel>> graphs = new IdentityHashMap<>();
    for (int node = 0; node < connection.nNodes(); node++) {
      List<Integer> heads = connection.nvls().heads(node);
      for (int head = 0; head < heads.size(); head++) {
        int up = connection.nvls().links(channel, heads.get(head)).treeUp();
        if (up != Connection.NONE) {
          int above = connection.nodeOf(up);
          int from = leafOfHead(graphs, node, head);
          int to = leafOfHead(graphs, above, connection.nvls().heads(above).indexOf(up));
          sums.add(from, to, flowsOfHop, 1.0 / heads.size());
          sums.add(to, from, flowsOfHop, 1.0 / heads.size());
        }
      }
    }
  }

  private int leafOfHead(Map<Domain, List<Channel>> graphs, int node, int head) {
    List<Channel> channels =
        graphs.computeIfAbsent(
            connection.domain(node),
            key -> connection.agreedGraphs(node).get(GraphKind.NVLS).channels());
    return head < 0 || head >= channels.size()
        ? SwitchTree.NONE
        : channels.get(head).nets().map(nets -> leaf(node, nets.out())).orElse(SwitchTree.NONE);
  }

  /** Nodes of one kind whose ports are at the same leaves. */
  private record Alike(Domain domain, List<Integer> leaves) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Alike alike && alike.domain == domain && alike.leaves.equals(leaves);
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(domain) + leaves.hashCode();
    }
  }

  /**
   * Load of the uplinks when every rank sends a byte to every rank of another node; peers use all
   * channels.
   */
  UplinkLoad ofAllPeers() {
    return ofSkewed(1);
  }

  /** Load of the uplinks when rank 0 receives {@code factor} times as much as the others. */
  public UplinkLoad ofSkewed(double factor) {
    return load(of -> of.skewed(factor));
  }

  private Sums skewed(double factor) {
    Sums sums = tree.sums();
    Map<Alike, List<Integer>> groups = new LinkedHashMap<>();
    for (int node = 0; node < leaves.length; node++) {
      groups
          .computeIfAbsent(
              new Alike(connection.domain(node), Arrays.stream(leaves[node]).boxed().toList()),
              key -> new ArrayList<>())
          .add(node);
    }
    groups.forEach(
        (from, nodes) ->
            groups.forEach(
                (to, peerNodes) -> {
                  boolean isSameGroup = nodes.equals(peerNodes);
                  double pairs = (double) nodes.size() * (peerNodes.size() - (isSameGroup ? 1 : 0));
                  if (pairs > 0) {
                    for (int rank : connection.ranksOf(nodes.get(0))) {
                      for (int peer : connection.ranksOf(peerNodes.get(isSameGroup ? 1 : 0))) {
                        add(sums, rank, peer, pairs * flowsOfPeer, pairs);
                      }
                    }
                  }
                }));
    if (factor > 1) {
      for (int rank = 0; rank < connection.nRanks(); rank++) {
        if (connection.nodeOf(rank) != connection.nodeOf(0)) {
          add(sums, rank, 0, 0, factor - 1);
        }
      }
    }
    return sums;
  }

  /** Load of the uplinks for a matrix of bytes between ranks. */
  public UplinkLoad ofMatrix(Traffic traffic) {
    return load(of -> of.matrix(traffic));
  }

  private Sums matrix(Traffic traffic) {
    Sums sums = tree.sums();
    for (int from = 0; from < connection.nRanks(); from++) {
      for (int to = 0; to < connection.nRanks(); to++) {
        between(sums, from, to, traffic.bytes(from, to));
      }
    }
    return sums;
  }

  /** Load of the uplinks when every rank sends a byte to the next one. */
  UplinkLoad ofNeighbors() {
    return load(
        of ->
            of.ofEachRank(
                (sums, rank) -> of.between(sums, rank, (rank + 1) % of.connection.nRanks(), 1)));
  }

  /** Load of the uplinks when rank 0 receives a byte from every rank of another node. */
  UplinkLoad ofGather() {
    return load(of -> of.ofEachRank((sums, rank) -> of.between(sums, rank, 0, 1)));
  }

  /** Load of the uplinks when rank 0 sends a byte to every rank of another node. */
  UplinkLoad ofScatter() {
    return load(of -> of.ofEachRank((sums, rank) -> of.between(sums, 0, rank, 1)));
  }

  private Sums ofEachRank(ObjIntConsumer<Sums> add) {
    Sums sums = tree.sums();
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      add.accept(sums, rank);
    }
    return sums;
  }

  /**
   * Adds the traffic from a rank to a rank of another node, once for each node that does the same.
   */
  private void add(Sums sums, int from, int to, double flows, double bytes) {
    int[] ownPorts = leaves[connection.nodeOf(from)];
    int[] peerPorts = leaves[connection.nodeOf(to)];
    for (PeerHops.Part part : peers.parts(from, to)) {
      sums.add(
          ownPorts[part.out()], peerPorts[part.in()], part.part() * flows, part.part() * bytes);
    }
  }

  private void between(Sums sums, int from, int to, double bytes) {
    if (bytes > 0 && connection.nodeOf(from) != connection.nodeOf(to)) {
      add(sums, from, to, flowsOfPeer, bytes);
    }
  }
}
