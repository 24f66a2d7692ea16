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
 * Load of the uplinks of switches. Each hop of a channel between nodes goes from the leaf switch of
 * the sender's port up to the lowest common switch, and down to the leaf switch of the receiver's
 * port. The run time is proportional to channels times ranks; for sends and receives between all
 * ranks, to the square of the number of nodes at different leaves.
 */
public final class FabricTraffic {
  private final Connection connection;
  private final SwitchTree tree;
  private final boolean adaptive;
  private final int groups;

  /** Communicators of the same group that send at the same time. */
  private final List<FabricTraffic> equal;

  /** Communicators of other groups that send at the same time. */
  private final List<FabricTraffic> others;

  private final double flowsPerHop;
  private final double flowsPerPeer;

  /** Leaf switch by node and index of the port on the node. */
  private final int[][] leaves;

  /** Cumulative sums: element i is the traffic of the first i + 1 channels. */
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
    this.flowsPerHop = Math.max(1, settings.integer("NCCL_IB_QPS_PER_CONNECTION", 1));
    PortLeaves portLeaves = new PortLeaves(connection, fabric.switches(), fabric.hosts());
    this.flowsPerPeer = connection.p2pChannels(0).nChannelsPerPeer() * flowsPerHop;
    this.peers = new PeerHops(connection);
    this.leaves = new int[connection.nNodes()][];
    for (int node = 0; node < leaves.length; node++) {
      int n = node;
      leaves[node] =
          ports(node).stream()
              .mapToInt(port -> portLeaves.leaf(n, port).map(tree::index).orElse(SwitchTree.NONE))
              .toArray();
    }
  }

  private FabricTraffic(
      FabricTraffic alone, List<FabricTraffic> equal, List<FabricTraffic> others) {
    this.connection = alone.connection;
    this.tree = alone.tree;
    this.adaptive = alone.adaptive;
    this.groups = alone.groups;
    this.flowsPerHop = alone.flowsPerHop;
    this.flowsPerPeer = alone.flowsPerPeer;
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

  /** True if flows are hashed onto the links of an uplink. */
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
   * @param sameGroup traffic of the other communicators of the predicted group
   * @param otherGroups traffic of communicators of other groups
   */
  FabricTraffic beside(List<FabricTraffic> sameGroup, List<FabricTraffic> otherGroups) {
    return new FabricTraffic(this, sameGroup, otherGroups);
  }

  private UplinkLoad load(Function<FabricTraffic, Sums> traffic) {
    Sums used = tree.sums();
    used.add(traffic.apply(this));
    equal.forEach(other -> used.add(traffic.apply(other)));
    Sums sums = tree.sums();
    sums.add(used);
    others.forEach(other -> sums.add(traffic.apply(other)));
    return UplinkLoad.slowestOf(sums.uplinks(used, adaptive, groups), used.disconnected());
  }

  private NetworkHops.Visitor adder(Sums sums, boolean bothWays) {
    return (from, fromPort, to, toPort) -> {
      int a = leaf(from, fromPort);
      int b = leaf(to, toPort);
      sums.add(a, b, flowsPerHop, 1);
      if (bothWays) {
        sums.add(b, a, flowsPerHop, 1);
      }
    };
  }

  private int leaf(int node, NodeId port) {
    int index = ports(node).indexOf(port);
    return index < 0 ? SwitchTree.NONE : leaves[node][index];
  }

  /** Load of the uplinks from rings on the first channels. */
  public UplinkLoad ofRings(int channels) {
    return load(traffic -> traffic.rings(channels));
  }

  private Sums rings(int channels) {
    NetworkHops hops = new NetworkHops(connection);
    return cumulative(
        ownChannels(channels), rings, (sums, channel) -> hops.ring(channel, adder(sums, false)));
  }

  /** Load of the uplinks from trees on the first channels, in both directions. */
  public UplinkLoad ofTrees(int channels) {
    return load(traffic -> traffic.trees(channels));
  }

  private Sums trees(int channels) {
    NetworkHops hops = new NetworkHops(connection);
    return cumulative(
        ownChannels(channels), trees, (sums, channel) -> hops.tree(channel, adder(sums, true)));
  }

  /**
   * Load of the uplinks from trees between NVLink domains, where each head carries its part of a
   * channel.
   */
  UplinkLoad ofNvlsTrees(int channels) {
    return load(
        traffic ->
            traffic.connection.nvls().isSupported()
                ? traffic.cumulative(channels, traffic.nvlsTrees, traffic::nvlsTree)
                : traffic.rings(channels));
  }

  /**
   * Load of the uplinks from PAT. With n ranks, each rank sends to the rank at distance 2^k once
   * for each number from 1 to n - 1 with exactly k trailing zero bits (S. Jeaugey, "PAT: a new
   * algorithm for all-gather and reduce-scatter operations at scale", 2025).
   */
  public UplinkLoad ofPat(int channels) {
    return load(
        traffic -> traffic.cumulative(traffic.ownChannels(channels), traffic.pats, traffic::pat));
  }

  private void pat(Sums sums, int channel) {
    int ranks = connection.nRanks();
    for (int distance = 1; distance < ranks; distance *= 2) {
      int times = (ranks - 1) / distance - (ranks - 1) / (2 * distance);
      for (int rank = 0; rank < ranks; rank++) {
        sums.add(
            treeLeaf(channel, rank),
            treeLeaf(channel, (rank + distance) % ranks),
            flowsPerHop,
            times / (ranks - 1.0));
      }
    }
  }

  /** Leaf switch of the port that a rank uses for the tree of a channel. */
  private int treeLeaf(int channel, int rank) {
    return connection
        .trees()
        .net(channel, rank)
        .map(net -> leaf(connection.nodeOf(rank), net))
        .orElse(SwitchTree.NONE);
  }

  private int ownChannels(int channels) {
    return Math.min(channels, connection.nChannels());
  }

  /**
   * Traffic of the first channels.
   *
   * @param cache cumulative sums so far, extended as needed
   * @param add adds the traffic of one channel
   */
  private Sums cumulative(int channels, List<Sums> cache, ObjIntConsumer<Sums> add) {
    for (int channel = cache.size(); channel < channels; channel++) {
      Sums sums = tree.sums();
      if (channel > 0) {
        sums.add(cache.get(channel - 1));
      }
      add.accept(sums, channel);
      cache.add(sums);
    }
    return cache.get(channels - 1);
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
          sums.add(from, to, flowsPerHop, 1.0 / heads.size());
          sums.add(to, from, flowsPerHop, 1.0 / heads.size());
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

  /** Nodes of the same domain whose ports are at the same leaves: their traffic is equal. */
  private record NodeClass(Domain domain, List<Integer> leaves) {
    @Override
    public boolean equals(Object other) {
      return other instanceof NodeClass nodeClass
          && nodeClass.domain == domain
          && nodeClass.leaves.equals(leaves);
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
    return load(traffic -> traffic.skewed(factor));
  }

  private Sums skewed(double factor) {
    Sums sums = tree.sums();
    Map<NodeClass, List<Integer>> classes = new LinkedHashMap<>();
    for (int node = 0; node < leaves.length; node++) {
      classes
          .computeIfAbsent(
              new NodeClass(connection.domain(node), Arrays.stream(leaves[node]).boxed().toList()),
              key -> new ArrayList<>())
          .add(node);
    }
    classes.forEach(
        (from, nodes) ->
            classes.forEach(
                (to, peerNodes) -> {
                  boolean isSameClass = nodes.equals(peerNodes);
                  double pairs = (double) nodes.size() * (peerNodes.size() - (isSameClass ? 1 : 0));
                  if (pairs > 0) {
                    for (int rank : connection.ranksOf(nodes.get(0))) {
                      for (int peer : connection.ranksOf(peerNodes.get(isSameClass ? 1 : 0))) {
                        add(sums, rank, peer, pairs * flowsPerPeer, pairs);
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
    return load(other -> other.matrix(traffic));
  }

  private Sums matrix(Traffic traffic) {
    Sums sums = tree.sums();
    for (int from = 0; from < connection.nRanks(); from++) {
      for (int to = 0; to < connection.nRanks(); to++) {
        addRemote(sums, from, to, traffic.bytes(from, to));
      }
    }
    return sums;
  }

  /** Load of the uplinks when every rank sends a byte to the next one. */
  UplinkLoad ofNeighbors() {
    return load(
        traffic ->
            traffic.ofEachRank(
                (sums, rank) ->
                    traffic.addRemote(sums, rank, (rank + 1) % traffic.connection.nRanks(), 1)));
  }

  /** Load of the uplinks when rank 0 receives a byte from every rank of another node. */
  UplinkLoad ofGather() {
    return load(traffic -> traffic.ofEachRank((sums, rank) -> traffic.addRemote(sums, rank, 0, 1)));
  }

  /** Load of the uplinks when rank 0 sends a byte to every rank of another node. */
  UplinkLoad ofScatter() {
    return load(traffic -> traffic.ofEachRank((sums, rank) -> traffic.addRemote(sums, 0, rank, 1)));
  }

  private Sums ofEachRank(ObjIntConsumer<Sums> add) {
    Sums sums = tree.sums();
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      add.accept(sums, rank);
    }
    return sums;
  }

  /** Adds flows and bytes from a rank to a rank of another node, divided among their ports. */
  private void add(Sums sums, int from, int to, double flows, double bytes) {
    int[] ownLeaves = leaves[connection.nodeOf(from)];
    int[] peerLeaves = leaves[connection.nodeOf(to)];
    for (PeerHops.Part part : peers.parts(from, to)) {
      sums.add(
          ownLeaves[part.out()], peerLeaves[part.in()], part.part() * flows, part.part() * bytes);
    }
  }

  /** Adds bytes from one rank to another, unless both are on the same node. */
  private void addRemote(Sums sums, int from, int to, double bytes) {
    if (bytes > 0 && connection.nodeOf(from) != connection.nodeOf(to)) {
      add(sums, from, to, flowsPerPeer, bytes);
    }
  }
}
