package dev.topo.simulator.network;

import dev.topo.model.Node.NetNode;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import dev.topo.search.path.Domain;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Load of the network ports of a job: each hop of a channel between nodes leaves one port and
 * arrives at another. Traffic is added by the methods and summed up until {@link #busiest()}. The
 * run time is proportional to channels times ranks.
 */
public final class PortTraffic {
  /**
   * Most nodes of a domain that are counted. Among that many, a tree has nodes with every possible
   * number of neighbours.
   */
  private static final int MAX_COUNTED_NODES = 64;

  private final Connection connection;
  private final boolean countsAllNodes;

  /** Bytes that ranks send through ports, by node, local rank and index of the port. */
  private final Map<Integer, double[][]> sent = new TreeMap<>();

  private final Map<Integer, double[][]> received = new TreeMap<>();
  private final PortSums sums;

  /** Created on first use by sends and receives. */
  private @Nullable PeerHops hops;

  /** Traffic at the ports of a job. Of many equal nodes only the first are counted. */
  public PortTraffic(Connection connection, NcclSettings settings) {
    this(connection, settings, false);
  }

  /**
   * Traffic at the ports of a job.
   *
   * @param countsAllNodes whether all nodes are counted, even many equal ones
   */
  PortTraffic(Connection connection, NcclSettings settings, boolean countsAllNodes) {
    this.countsAllNodes = countsAllNodes;
    this.connection = connection;
    this.sums = new PortSums(connection, settings);
  }

  /** Adds rings on the first channels. */
  public PortTraffic rings(int channels) {
    for (int node : nodes()) {
      List<Integer> ranks = connection.ranksOf(node);
      for (int c = 0; c < channels; c++) {
        int channel = c;
        connection.rings().nets(channel, node).ifPresent(nets -> ring(channel, node, ranks, nets));
      }
    }
    return this;
  }

  private void ring(int channel, int node, List<Integer> ranks, Channel.Nets nets) {
    for (int rank : ranks) {
      int next = connection.rings().next(channel, rank);
      if (connection.nodeOf(next) != node) {
        sums.add(rank, nets.out(), true, 1);
      } else if (next != rank) {
        sums.addUnlessNvlink(rank, next, 1);
      }
      if (connection.nodeOf(connection.rings().prev(channel, rank)) != node) {
        sums.add(rank, nets.in(), false, 1);
      }
    }
  }

  /** Adds trees on the first channels, in both directions. */
  public PortTraffic trees(int channels) {
    for (int node : nodes()) {
      for (int rank : connection.ranksOf(node)) {
        for (int channel = 0; channel < channels; channel++) {
          int parent = connection.trees().links(channel, rank).up();
          if (parent != Connection.NONE && connection.nodeOf(parent) == node) {
            sums.addUnlessNvlink(rank, parent, 1);
            sums.addUnlessNvlink(parent, rank, 1);
          }
        }
      }
    }
    return treePorts(channels, this::edgesToOtherNodes);
  }

  private int edgesToOtherNodes(int channel, int rank) {
    Trees.Links links = connection.trees().links(channel, rank);
    int node = connection.nodeOf(rank);
    return (int)
        IntStream.of(links.up(), links.down0(), links.down1(), links.down2())
            .filter(other -> other != Connection.NONE)
            .filter(other -> connection.nodeOf(other) != node)
            .count();
  }

  /**
   * Adds traffic at the ports of trees, in both directions.
   *
   * @param parts how many times a rank sends a channel, by channel and rank
   */
  private PortTraffic treePorts(int channels, IntBinaryOperator parts) {
    for (int node : nodes()) {
      for (int rank : connection.ranksOf(node)) {
        for (int channel = 0; channel < channels; channel++) {
          int times = parts.applyAsInt(channel, rank);
          if (times > 0) {
            connection
                .trees()
                .net(channel, rank)
                .ifPresent(net -> sums.addBothWays(rank, net, times));
          }
        }
      }
    }
    return this;
  }

  /** Adds trees between NVLink domains, where each head carries its part of a channel. */
  PortTraffic nvlsTrees(int channels) {
    for (int node : nodes()) {
      List<Channel> heads = connection.agreedGraphs(node).get(GraphKind.NVLS).channels();
      List<Integer> ranks = connection.nvls().heads(node);
      for (int channel = 0; channel < channels; channel++) {
        for (int head = 0; head < ranks.size(); head++) {
          int rank = ranks.get(head);
          var links = connection.nvls().links(channel, rank);
          int edges = links.treeDown().size() - 1 + (links.treeUp() == Connection.NONE ? 0 : 1);
          double part = edges / (double) ranks.size();
          heads.get(head).nets().ifPresent(nets -> sums.addBothWays(rank, nets.out(), part));
        }
      }
    }
    return this;
  }

  /**
   * Adds the traffic at the heads of graphs of a network that reduces: each head sends its part of
   * a channel once and receives it once.
   */
  PortTraffic heads(int channels, GraphKind graph) {
    for (int node : nodes()) {
      List<Channel> heads = connection.agreedGraphs(node).get(graph).channels();
      List<Integer> ranks =
          graph == GraphKind.NVLS
              ? connection.nvls().heads(node)
              : connection.collNet().orElseThrow().heads(node);
      for (int head = 0; head < ranks.size(); head++) {
        int rank = ranks.get(head);
        double part = channels / (double) ranks.size();
        heads
            .get(head % heads.size())
            .nets()
            .ifPresent(nets -> sums.addBothWays(rank, nets.out(), part));
      }
    }
    return this;
  }

  /**
   * Adds the traffic at the ends of chains of a network that reduces: each end sends a channel once
   * and receives it once.
   */
  PortTraffic chains(int channels) {
    for (int node : nodes()) {
      List<Channel> graph = connection.agreedGraphs(node).get(GraphKind.COLLNET_CHAIN).channels();
      for (int c = 0; c < channels; c++) {
        int channel = c;
        for (int rank : connection.ranksOf(node)) {
          if (connection.collNet().orElseThrow().chain(channel, rank).up() == connection.nRanks()) {
            graph
                .get(channel % graph.size())
                .nets()
                .ifPresent(nets -> sums.addBothWays(rank, nets.out(), 1));
          }
        }
      }
    }
    return this;
  }

  /**
   * Adds PAT on the first channels. It uses the ports of trees ({@code ncclTransportPatConnect},
   * {@code nccl:src/transport/generic.cc}); each rank sends as much as on a ring.
   */
  PortTraffic pat(int channels) {
    return treePorts(channels, (channel, rank) -> 1);
  }

  /** Adds a byte from every rank to every rank of another node; peers use all channels. */
  PortTraffic allPeers() {
    sendToAll();
    return withPeers((from, to) -> 1);
  }

  private void sendToAll() {
    for (int node : nodes(1)) {
      int peerNode = node == 0 ? 1 : 0;
      List<Integer> peerRanks = connection.ranksOf(peerNode);
      double peers =
          (connection.nRanks() - connection.localRanks(node)) / (double) peerRanks.size();
      for (int rank : connection.ranksOf(node)) {
        for (int peer : peerRanks) {
          send(rank, peer, peers, true);
          send(peer, rank, peers, false);
        }
      }
    }
  }

  /**
   * Records data from a rank to a rank of another node, at the ports of one of the two nodes.
   *
   * @param out true for the sender's node, false for the receiver's
   */
  private void send(int from, int to, double bytes, boolean out) {
    int node = connection.nodeOf(out ? from : to);
    double[][] table =
        (out ? sent : received)
            .computeIfAbsent(
                node,
                key ->
                    new double[connection.localRanks(node)]
                        [connection.domain(node).topology().nets().size()]);
    if (hops == null) {
      hops = new PeerHops(connection);
    }
    for (PeerHops.Part part : hops.parts(from, to)) {
      if (out) {
        table[part.relay()][part.out()] += part.part() * bytes;
        int relay = connection.rankOf(node, part.relay());
        if (relay != from) {
          sums.addInside(from, relay, part.part() * bytes);
        }
      } else {
        table[hops.localRank(to)][part.in()] += part.part() * bytes;
      }
    }
  }

  /**
   * Adds the recorded data at the ports, and the traffic inside the nodes of these ports.
   *
   * @param traffic bytes between ranks of a node
   */
  private PortTraffic withPeers(FabricTraffic.Traffic traffic) {
    sent.forEach((node, table) -> add(node, table, true));
    received.forEach((node, table) -> add(node, table, false));
    Set<Integer> nodes = new TreeSet<>(sent.keySet());
    nodes.addAll(received.keySet());
    for (int node : nodes) {
      for (int from : connection.ranksOf(node)) {
        for (int to : connection.ranksOf(node)) {
          double bytes = from == to ? 0 : traffic.bytes(from, to);
          if (bytes > 0) {
            sums.addInside(from, to, bytes);
          }
        }
      }
    }
    return this;
  }

  private void add(int node, double[][] table, boolean out) {
    List<Integer> ranks = connection.ranksOf(node);
    List<NetNode> nets = connection.domain(node).topology().nets();
    for (int rank = 0; rank < table.length; rank++) {
      for (int net = 0; net < nets.size(); net++) {
        if (table[rank][net] > 0) {
          sums.add(ranks.get(rank), nets.get(net).id(), out, table[rank][net]);
        }
      }
    }
  }

  /**
   * Adds an alltoallv in which rank 0 receives {@code factor} times as much as the others. The
   * additional bytes count at the receiving ports only, as no sending port carries as many.
   */
  public PortTraffic skewed(double factor) {
    sendToAll();
    toRoot(factor - 1);
    return withPeers((from, to) -> to == 0 ? factor : 1);
  }

  /** Adds the bytes of a matrix of sends between all ranks. */
  public PortTraffic matrix(FabricTraffic.Traffic traffic) {
    for (int from = 0; from < connection.nRanks(); from++) {
      for (int to = 0; to < connection.nRanks(); to++) {
        transfer(from, to, traffic.bytes(from, to));
      }
    }
    return withPeers(traffic);
  }

  /** Adds a byte from every rank to the next one. */
  PortTraffic neighbors() {
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      transfer(rank, (rank + 1) % connection.nRanks(), 1);
    }
    return withPeers((from, to) -> to == (from + 1) % connection.nRanks() ? 1 : 0);
  }

  /** Records data between nodes at both ranks; none inside a node. */
  private void transfer(int from, int to, double bytes) {
    if (bytes > 0 && connection.nodeOf(from) != connection.nodeOf(to)) {
      send(from, to, bytes, true);
      send(from, to, bytes, false);
    }
  }

  /** Adds a byte from every rank of another node to rank 0. */
  PortTraffic gather() {
    toRoot(1);
    return withPeers((from, to) -> to == 0 ? 1 : 0);
  }

  private void toRoot(double bytes) {
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      if (connection.nodeOf(rank) != connection.nodeOf(0)) {
        send(rank, 0, bytes, false);
      }
    }
  }

  /** Adds a byte from rank 0 to every rank of another node. */
  PortTraffic scatter() {
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      if (connection.nodeOf(rank) != connection.nodeOf(0)) {
        send(0, rank, 1, true);
      }
    }
    return withPeers((from, to) -> from == 0 ? 1 : 0);
  }

  private List<Integer> nodes() {
    return nodes(MAX_COUNTED_NODES);
  }

  /**
   * The first nodes of each domain. All nodes of a domain carry the same traffic, apart from their
   * positions in trees.
   */
  private List<Integer> nodes(int perDomain) {
    Map<Domain, Integer> counts = new IdentityHashMap<>();
    return connection
        .nodeNumbers()
        .filter(
            node ->
                counts.merge(connection.domain(node), 1, Integer::sum) <= perDomain
                    || countsAllNodes)
        .boxed()
        .toList();
  }

  /** The port that takes longest. */
  public PortLoad busiest() {
    return sums.busiest();
  }

  /**
   * The busiest port of the predicted group, with the traffic of all concurrent communicators.
   *
   * @param traffic traffic of each communicator, counted for every node
   */
  static PortLoad busiest(ConcurrentGroups groups, List<PortTraffic> traffic) {
    return PortSums.busiest(groups, traffic.stream().map(ports -> ports.sums).toList());
  }
}
