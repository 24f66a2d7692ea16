package dev.topo.simulator.network;

import dev.topo.model.Link;
import dev.topo.model.LinkType;
import dev.topo.model.PathType;
import dev.topo.model.Topology;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.NodeId;
import dev.topo.model.node.NodeType;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import dev.topo.search.path.Domain;
import dev.topo.search.path.NicAccessFinder;
import dev.topo.simulator.fabric.FabricTraffic;
import dev.topo.simulator.fabric.PeerHops;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What the network ports of a job carry: each hop of a channel between nodes leaves by one port and
 * arrives at another. Takes time in the number of channels times that of ranks.
 */
public final class PortTraffic {
  private static final double PS_PER_NS = 1000;
  private static final double ASSUMED_GBPS = 1.25;

  /** So many nodes of a kind have every number of neighbours that a tree gives a node. */
  private static final int ENOUGH_NODES = 64;

  /** A port in one direction. */
  private record Place(int node, int port, boolean out) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byNode = Integer.compare(node, other.node);
      int byPort = byNode != 0 ? byNode : Integer.compare(port, other.port);
      return byPort != 0 ? byPort : Boolean.compare(out, other.out);
    }
  }

  private static final class Sum {
    private final NetNode port;
    private double flows;
    private double line;
    private double bridge;
    private double host;

    Sum(NetNode port) {
      this.port = port;
    }

    void add(double part, Way way) {
      flows += part;
      line += isRateUnknown(port) ? 0 : part * PS_PER_NS / port.bwGBps();
      if (way.pciGBps > 0) {
        double pci = part * PS_PER_NS / way.pciGBps;
        bridge += way.gdr ? pci : 0;
        host += way.gdr ? 0 : pci;
      }
    }

    double load() {
      return Math.max(
          line,
          bridge / NetworkConstant.SHARE_BRIDGE.typical()
              + host / NetworkConstant.SHARE_HOST.typical());
    }
  }

  /**
   * Whether NCCL has assumed the rate of a port: 10 Gb/s for an interface that states none ({@code
   * ncclNetSocketGetSpeed}, {@code nccl:src/transport/net_socket.cc}).
   */
  private static boolean isRateUnknown(NetNode port) {
    return port.asic() == 0 && port.bwGBps() == ASSUMED_GBPS;
  }

  /** How data passes between a GPU and a port: over the CPU at the rate of PCI links, or near. */
  private record Way(boolean gdr, double pciGBps) {}

  private record Pair(Domain domain, int gpu, int net) {}

  private final Connection connection;
  private final NcclSettings settings;
  private final PeerHops hops;

  /** What ranks send by ports, by node, rank and port. */
  private final Map<Integer, double[][]> sent = new TreeMap<>();

  private final Map<Integer, double[][]> received = new TreeMap<>();
  private final Map<Place, Sum> sums = new TreeMap<>();
  private final Map<Pair, Way> ways = new HashMap<>();

  private final Map<Integer, int[]> gpusOfRanks = new HashMap<>();

  private PortTraffic(Connection connection, NcclSettings settings) {
    this.connection = connection;
    this.settings = settings;
    this.hops = new PeerHops(connection);
  }

  /** The busiest port where rings run on the first channels. */
  public static PortLoad ofRings(Connection connection, NcclSettings settings, int channels) {
    PortTraffic traffic = new PortTraffic(connection, settings);
    for (int node : traffic.nodes()) {
      List<Integer> ranks = connection.ranksOf(node);
      for (int c = 0; c < channels; c++) {
        int channel = c;
        connection
            .rings()
            .nets(channel, node)
            .ifPresent(nets -> traffic.ring(channel, node, ranks, nets));
      }
    }
    return traffic.busiest();
  }

  private void ring(int channel, int node, List<Integer> ranks, Channel.Nets nets) {
    for (int rank : ranks) {
      if (connection.nodeOf(connection.rings().next(channel, rank)) != node) {
        add(rank, nets.out(), true, 1);
      }
      if (connection.nodeOf(connection.rings().prev(channel, rank)) != node) {
        add(rank, nets.in(), false, 1);
      }
    }
  }

  /** The busiest port where trees run on the first channels: up and down. */
  public static PortLoad ofTrees(Connection connection, NcclSettings settings, int channels) {
    PortTraffic traffic = new PortTraffic(connection, settings);
    for (int node : traffic.nodes()) {
      for (int rank : connection.ranksOf(node)) {
        for (int channel = 0; channel < channels; channel++) {
          Trees.Links links = connection.trees().links(channel, rank);
          int edges =
              (int)
                  IntStream.of(links.up(), links.down0(), links.down1(), links.down2())
                      .filter(other -> other != Connection.NONE)
                      .filter(other -> connection.nodeOf(other) != node)
                      .count();
          if (edges > 0) {
            connection.trees().net(channel, rank).ifPresent(net -> traffic.both(rank, net, edges));
          }
        }
      }
    }
    return traffic.busiest();
  }

  /** The same for trees between NVLink domains: each head carries its part of a channel. */
  public static PortLoad ofNvlsTrees(Connection connection, NcclSettings settings, int channels) {
    PortTraffic traffic = new PortTraffic(connection, settings);
    for (int node : traffic.nodes()) {
      List<Channel> heads = connection.agreedGraphs(node).get(GraphKind.NVLS).channels();
      List<Integer> ranks = connection.nvls().heads(node);
      for (int channel = 0; channel < channels; channel++) {
        for (int head = 0; head < ranks.size(); head++) {
          int rank = ranks.get(head);
          var links = connection.nvls().links(channel, rank);
          int edges = links.treeDown().size() - 1 + (links.treeUp() == Connection.NONE ? 0 : 1);
          double part = edges / (double) ranks.size();
          heads.get(head).nets().ifPresent(nets -> traffic.both(rank, nets.out(), part));
        }
      }
    }
    return traffic.busiest();
  }

  /**
   * The busiest port where every rank sends a byte to every rank of another node: its peers are on
   * all channels.
   */
  public static PortLoad ofAllPeers(Connection connection, NcclSettings settings) {
    PortTraffic traffic = new PortTraffic(connection, settings);
    traffic.allPeers();
    return traffic.busiestOfPeers();
  }

  private void allPeers() {
    for (int node : nodes(1)) {
      int other = node == 0 ? 1 : 0;
      List<Integer> like = connection.ranksOf(other);
      double peers = (connection.nRanks() - connection.localRanks(node)) / (double) like.size();
      for (int rank : connection.ranksOf(node)) {
        for (int peer : like) {
          send(rank, peer, peers, true);
          send(peer, rank, peers, false);
        }
      }
    }
  }

  /** Notes what a rank sends to a rank of another node, at one of the two. */
  private void send(int from, int to, double bytes, boolean out) {
    int node = connection.nodeOf(out ? from : to);
    double[][] table =
        (out ? sent : received)
            .computeIfAbsent(
                node,
                key ->
                    new double[connection.localRanks(node)]
                        [connection.domain(node).topology().nets().size()]);
    for (PeerHops.Part part : hops.parts(from, to)) {
      if (out) {
        table[part.relay()][part.out()] += part.part() * bytes;
      } else {
        table[hops.place(to)][part.in()] += part.part() * bytes;
      }
    }
  }

  private PortLoad busiestOfPeers() {
    sent.forEach((node, table) -> add(node, table, true));
    received.forEach((node, table) -> add(node, table, false));
    return busiest();
  }

  private void add(int node, double[][] table, boolean out) {
    List<Integer> ranks = connection.ranksOf(node);
    List<NetNode> nets = connection.domain(node).topology().nets();
    for (int rank = 0; rank < table.length; rank++) {
      for (int net = 0; net < nets.size(); net++) {
        if (table[rank][net] > 0) {
          add(ranks.get(rank), nets.get(net).id(), out, table[rank][net]);
        }
      }
    }
  }

  /**
   * The same where rank 0 receives more than the others by a factor: what the others send to it
   * does not exceed that.
   */
  public static PortLoad ofSkewed(Connection connection, NcclSettings settings, double factor) {
    PortTraffic traffic = new PortTraffic(connection, settings);
    traffic.allPeers();
    traffic.toRoot(factor - 1);
    return traffic.busiestOfPeers();
  }

  /** The busiest port where ranks send to each other what a function says, in bytes. */
  public static PortLoad ofMatrix(
      Connection connection, NcclSettings settings, FabricTraffic.Traffic traffic) {
    PortTraffic ports = new PortTraffic(connection, settings);
    for (int from = 0; from < connection.nRanks(); from++) {
      for (int to = 0; to < connection.nRanks(); to++) {
        double bytes =
            connection.nodeOf(from) == connection.nodeOf(to) ? 0 : traffic.bytes(from, to);
        if (bytes > 0) {
          ports.send(from, to, bytes, true);
          ports.send(from, to, bytes, false);
        }
      }
    }
    return ports.busiestOfPeers();
  }

  /** The busiest port where every rank sends a byte to the next one. */
  public static PortLoad ofNeighbors(Connection connection, NcclSettings settings) {
    PortTraffic traffic = new PortTraffic(connection, settings);
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      int next = (rank + 1) % connection.nRanks();
      if (connection.nodeOf(rank) != connection.nodeOf(next)) {
        traffic.send(rank, next, 1, true);
        traffic.send(rank, next, 1, false);
      }
    }
    return traffic.busiestOfPeers();
  }

  /** The busiest port where rank 0 receives a byte from every rank of another node. */
  public static PortLoad ofGather(Connection connection, NcclSettings settings) {
    PortTraffic traffic = new PortTraffic(connection, settings);
    traffic.toRoot(1);
    return traffic.busiestOfPeers();
  }

  private void toRoot(double bytes) {
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      if (connection.nodeOf(rank) != connection.nodeOf(0)) {
        send(rank, 0, bytes, false);
      }
    }
  }

  /** The busiest port where rank 0 sends a byte to every rank of another node. */
  public static PortLoad ofScatter(Connection connection, NcclSettings settings) {
    PortTraffic traffic = new PortTraffic(connection, settings);
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      if (connection.nodeOf(rank) != connection.nodeOf(0)) {
        traffic.send(0, rank, 1, true);
      }
    }
    return traffic.busiestOfPeers();
  }

  private void both(int rank, NodeId net, double part) {
    add(rank, net, true, part);
    add(rank, net, false, part);
  }

  private void add(int rank, NodeId net, boolean out, double part) {
    int node = connection.nodeOf(rank);
    Domain domain = connection.domain(node);
    int[] nets = domain.topology().indexes(NodeType.NET);
    for (int place = 0; place < nets.length; place++) {
      NetNode port = (NetNode) domain.topology().node(nets[place]);
      if (port.id().equals(net)) {
        Way way = ways.computeIfAbsent(new Pair(domain, gpu(node, rank), place), this::way);
        sums.computeIfAbsent(new Place(node, place, out), key -> new Sum(port)).add(part, way);
      }
    }
  }

  private List<Integer> nodes() {
    return nodes(ENOUGH_NODES);
  }

  /** The first nodes of each kind: all nodes of a kind carry alike, apart from places in trees. */
  private List<Integer> nodes(int ofKind) {
    Map<Domain, Integer> counts = new IdentityHashMap<>();
    return IntStream.range(0, connection.nNodes())
        .filter(node -> counts.merge(connection.domain(node), 1, Integer::sum) <= ofKind)
        .boxed()
        .toList();
  }

  /** The place of a rank's GPU among those of its node. */
  private int gpu(int node, int rank) {
    int first = gpusOfRanks.containsKey(node) ? 0 : Collections.min(connection.ranksOf(node));
    int[] places =
        gpusOfRanks.computeIfAbsent(node, key -> gpusOfRanks(connection.domain(node), first));
    return places[rank - places[places.length - 1]];
  }

  /** The places of GPUs by their rank on the machine, and the first rank in the job at the end. */
  private static int[] gpusOfRanks(Domain domain, int firstRank) {
    List<GpuNode> gpus = domain.topology().gpus();
    int least = gpus.stream().mapToInt(GpuNode::rank).min().orElseThrow();
    int most = gpus.stream().mapToInt(GpuNode::rank).max().orElseThrow();
    int[] places = new int[most - least + 2];
    for (int gpu = 0; gpu < gpus.size(); gpu++) {
      places[gpus.get(gpu).rank() - least] = gpu;
    }
    places[places.length - 1] = firstRank;
    return places;
  }

  private Way way(Pair pair) {
    Topology topology = pair.domain.topology();
    int gpu = topology.indexes(NodeType.GPU)[pair.gpu];
    int net = topology.indexes(NodeType.NET)[pair.net];
    boolean near = pair.domain.paths().type(gpu, net).isWithin(PathType.PXN);
    boolean gdr =
        new NicAccessFinder(pair.domain, settings).find(pair.gpu, pair.net).gdr().allowed();
    return new Way(gdr, near && gdr ? 0 : pciGBps(topology, gpu));
  }

  /** The rate of the PCI link of a GPU; 0 for one that reaches the CPU by another link. */
  private static double pciGBps(Topology topology, int gpu) {
    double rate = 0;
    for (Link link : topology.links(gpu)) {
      if (link.type() != LinkType.PCI && topology.node(link.to()).type() == NodeType.CPU) {
        return 0;
      }
      rate = link.type() == LinkType.PCI ? Math.max(rate, link.bwGBps()) : rate;
    }
    return rate;
  }

  private PortLoad busiest() {
    PortLoad busiest = PortLoad.NONE;
    double most = 0;
    for (Map.Entry<Place, Sum> entry : sums.entrySet()) {
      Sum sum = entry.getValue();
      if (sum.load() > most * (1 + 1e-9)) {
        most = sum.load();
        int node = entry.getKey().node;
        String name = connection.portName(node, sum.port.id());
        busiest = new PortLoad(node, name, sum.flows, sum.line, sum.bridge, sum.host);
      }
    }
    return busiest;
  }
}
