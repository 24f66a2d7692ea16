package dev.topo.simulator.network;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NicNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.bound.LinkRates;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.search.path.LinkTable;
import dev.topo.search.path.NicAccessFinder;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.PortLoad.UsedPorts;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Loads of the ports of a job, in each direction. */
final class PortSums {
  private static final double PS_PER_NS = 1000;

  /**
   * Payload rate of a PCI link relative to NCCL's rate. For 16 lanes of PCIe 4.0 NCCL assumes 24
   * GB/s; the rate after encoding is 31.5 GB/s, of which packets of 256 bytes with 26 bytes of
   * headers leave 28.6 GB/s. An upper bound from the standard, not measured.
   */
  private static final double SLOT_SHARE = 31.5 / 24 * 256 / (256 + 26);

  /** A port of a node in one direction: {@code port} is its index on the node. */
  private record PortKey(int node, int port, boolean out) implements Comparable<PortKey> {
    @Override
    public int compareTo(PortKey other) {
      int byNode = Integer.compare(node, other.node);
      int byPort = byNode != 0 ? byNode : Integer.compare(port, other.port);
      return byPort != 0 ? byPort : Boolean.compare(out, other.out);
    }

    /** True for ports of the same node in the same direction. */
    boolean isSameSide(PortKey other) {
      return node == other.node && out == other.out;
    }
  }

  /**
   * Traffic of a port in one direction, for one byte of each channel or transfer: flows, and the
   * times of its line, of host bridges and of host memory in picoseconds.
   */
  private static final class Sum {
    private final NetNode port;
    private final Slot slot;
    private double flows;
    private double line;
    private double bridge;
    private double host;

    Sum(NetNode port, Slot slot) {
      this.port = port;
      this.slot = slot;
    }

    /** Time that this port's traffic takes on the PCI link of its card, in picoseconds. */
    double slotLoad() {
      return flows * PS_PER_NS / slot.gbps;
    }

    void add(double part, PortPath path) {
      flows += part;
      line += port.isSpeedAssumed() ? 0 : part * PS_PER_NS / port.bwGBps();
      if (path.pciGBps > 0) {
        double pci = part * PS_PER_NS / path.pciGBps;
        bridge += path.gdr ? pci : 0;
        host += path.gdr ? 0 : pci;
      }
    }

    void add(Sum other) {
      flows += other.flows;
      line += other.line;
      bridge += other.bridge;
      host += other.host;
    }

    /**
     * Time of the port, in picoseconds.
     *
     * @param wireLoad time of its cable or of the card's PCI link, whichever is longer
     */
    double load(double wireLoad) {
      return Math.max(
          wireLoad,
          bridge / NetworkConstant.SHARE_BRIDGE.typical()
              + host / NetworkConstant.SHARE_HOST.typical());
    }
  }

  /**
   * Path between a GPU and a port.
   *
   * @param gdr whether GPUDirect RDMA is used
   * @param pciGBps rate of the GPU's PCI link if data passes the CPU; otherwise 0
   */
  private record PortPath(boolean gdr, double pciGBps) {}

  /** Occupation of the links inside nodes. */
  private final class Links {
    /** Time per byte of each link, in picoseconds. */
    private final Map<Domain, double[]> psPerByte = new IdentityHashMap<>();

    /** Time that each link is busy, by node, in picoseconds. */
    private final Map<Integer, double[]> busyPs = new HashMap<>();

    /** Adds bytes between two devices. */
    void add(int node, int from, int to, double bytes) {
      Domain domain = connection.domain(node);
      double[] rates = psPerByte.computeIfAbsent(domain, Links::psPerByte);
      double[] busy = busyPs.computeIfAbsent(node, key -> new double[rates.length]);
      for (int link : domain.paths().links(from, to)) {
        busy[link] += bytes * rates[link];
      }
    }

    private static double[] psPerByte(Domain domain) {
      Topology topology = domain.topology();
      LinkTable table = domain.paths().linkTable();
      double[] times = new double[table.size()];
      for (int node = 0; node < topology.size(); node++) {
        for (int link = table.firstOf(node); link < table.endOf(node); link++) {
          Link edge = topology.links(node).get(link - table.firstOf(node));
          double rate = LinkRates.gbps(topology, edge, domain.profile());
          boolean isInside = edge.type() != LinkType.NET && rate < LinkRates.UNLIMITED_GBPS;
          times[link] = isInside ? PS_PER_NS / rate : 0;
        }
      }
      return times;
    }

    /** Time of the busiest link of all nodes. */
    double busiest() {
      return busyPs.values().stream().flatMapToDouble(Arrays::stream).max().orElse(0);
    }
  }

  private record Pair(Domain domain, int gpu, int net) {}

  /** PCI link of a card. Its rate is infinite if the topology file does not state it. */
  private record Slot(NodeId card, double gbps) {
    static Slot of(Domain domain, int net) {
      Topology topology = domain.topology();
      for (Link link : topology.links(topology.indexes(NodeType.NET)[net])) {
        if (topology.node(link.to()) instanceof NicNode card) {
          double rate = SLOT_SHARE * pciGBps(topology, link.to());
          return new Slot(
              card.id(), card.isLinkStated() && rate > 0 ? rate : Double.POSITIVE_INFINITY);
        }
      }
      return new Slot(topology.nets().get(net).id(), Double.POSITIVE_INFINITY);
    }
  }

  /** PCI link of a card, or cable of ports, in one direction: several ports may share it. */
  private record Wire(int machine, Record part, boolean out) {}

  /**
   * Finds the port that takes longest: first {@link #addToWires} is called for all ports, then
   * {@link #compare} for the candidates.
   */
  private static final class Busiest {
    private final Map<Wire, Double> wires = new HashMap<>();
    private PortLoad load = PortLoad.NONE;
    private double maxPs;

    void addToWires(int machine, boolean out, Sum sum) {
      wires.merge(new Wire(machine, sum.slot.card, out), sum.slotLoad(), Double::sum);
      wires.merge(new Wire(machine, sum.port.cable(), out), sum.line, Double::sum);
    }

    /** Compares a port with the busiest one so far. */
    void compare(PortSums sums, PortKey key, int machine, Sum sum) {
      double slot = wires.getOrDefault(new Wire(machine, sum.slot.card, key.out), 0.0);
      double line = wires.getOrDefault(new Wire(machine, sum.port.cable(), key.out), 0.0);
      double time = sum.load(Math.max(line, slot));
      // Of equally loaded ports, take that with more flows: a port's largest bandwidth is divided
      // among them.
      if (time > maxPs * (1 + 1e-9) || (time > maxPs * (1 - 1e-9) && sum.flows > load.flows())) {
        maxPs = time;
        load = sums.load(key, sum, line, slot);
      }
    }
  }

  private final Connection connection;
  private final NcclSettings settings;
  private final Map<PortKey, Sum> sums = new TreeMap<>();
  private final Map<Pair, PortPath> paths = new HashMap<>();

  /** GPUs by node; see {@link #gpusOfRanks(Domain, int)}. */
  private final Map<Integer, int[]> gpusOfRanks = new HashMap<>();

  private final Links links = new Links();

  /** Sums without traffic for the ports of a job. */
  PortSums(Connection connection, NcclSettings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  /** Adds data that the GPU of a rank both sends and receives through a port. */
  void addBothWays(int rank, NodeId net, double part) {
    add(rank, net, true, part);
    add(rank, net, false, part);
  }

  /** Adds data that the GPU of a rank sends ({@code out}) or receives through a port. */
  void add(int rank, NodeId net, boolean out, double part) {
    int node = connection.nodeOf(rank);
    Domain domain = connection.domain(node);
    int[] nets = domain.topology().indexes(NodeType.NET);
    for (int i = 0; i < nets.length; i++) {
      NetNode port = (NetNode) domain.topology().node(nets[i]);
      if (port.id().equals(net)) {
        int gpu = gpu(node, rank);
        int device = domain.topology().indexes(NodeType.GPU)[gpu];
        links.add(node, out ? device : nets[i], out ? nets[i] : device, part);
        PortPath path = paths.computeIfAbsent(new Pair(domain, gpu, i), this::path);
        sums.computeIfAbsent(
                new PortKey(node, i, out), key -> new Sum(port, Slot.of(domain, key.port)))
            .add(part, path);
      }
    }
  }

  /** Adds data that a rank sends to another rank of its node. */
  void addInside(int from, int to, double part) {
    int node = connection.nodeOf(from);
    links.add(node, device(node, from), device(node, to), part);
  }

  /**
   * Adds data that a rank sends to another rank of its node, unless it takes NVLinks: their time is
   * part of the time of the call on each node.
   */
  void addUnlessNvlink(int from, int to, double part) {
    int node = connection.nodeOf(from);
    int source = device(node, from);
    int target = device(node, to);
    if (!connection.domain(node).paths().type(source, target).isWithin(PathType.NVB)) {
      links.add(node, source, target, part);
    }
  }

  /** Index of a rank's GPU in the topology of its node. */
  private int device(int node, int rank) {
    return connection.domain(node).topology().indexes(NodeType.GPU)[gpu(node, rank)];
  }

  /** Index of a rank's GPU among those of its node. */
  private int gpu(int node, int rank) {
    int first = gpusOfRanks.containsKey(node) ? 0 : Collections.min(connection.ranksOf(node));
    int[] gpus =
        gpusOfRanks.computeIfAbsent(node, key -> gpusOfRanks(connection.domain(node), first));
    return gpus[rank - gpus[gpus.length - 1]];
  }

  /** Indices of GPUs by local rank, followed by the first rank of the node in the job. */
  private static int[] gpusOfRanks(Domain domain, int firstRank) {
    List<GpuNode> gpus = domain.topology().gpus();
    int minRank = gpus.stream().mapToInt(GpuNode::rank).min().orElseThrow();
    int maxRank = gpus.stream().mapToInt(GpuNode::rank).max().orElseThrow();
    int[] indices = new int[maxRank - minRank + 2];
    for (int gpu = 0; gpu < gpus.size(); gpu++) {
      indices[gpus.get(gpu).rank() - minRank] = gpu;
    }
    indices[indices.length - 1] = firstRank;
    return indices;
  }

  private PortPath path(Pair pair) {
    Topology topology = pair.domain.topology();
    int gpu = topology.indexes(NodeType.GPU)[pair.gpu];
    int net = topology.indexes(NodeType.NET)[pair.net];
    boolean near = pair.domain.paths().type(gpu, net).isWithin(PathType.PXN);
    boolean gdr =
        new NicAccessFinder(pair.domain, settings).find(pair.gpu, pair.net).gdr().allowed();
    return new PortPath(gdr, near && gdr ? 0 : pciGBps(topology, gpu));
  }

  /**
   * Rate of a device's PCI link in GB/s; 0 if the device reaches the CPU by another kind of link.
   */
  private static double pciGBps(Topology topology, int device) {
    double rate = 0;
    for (Link link : topology.links(device)) {
      if (link.type() != LinkType.PCI && topology.node(link.to()).type() == NodeType.CPU) {
        return 0;
      }
      rate = link.type() == LinkType.PCI ? Math.max(rate, link.bwGBps()) : rate;
    }
    return rate;
  }

  /** The port that takes longest. */
  PortLoad busiest() {
    Busiest busiest = new Busiest();
    sums.forEach((key, sum) -> busiest.addToWires(key.node, key.out, sum));
    sums.forEach((key, sum) -> busiest.compare(this, key, key.node, sum));
    return busiest.load;
  }

  private PortLoad load(PortKey key, Sum sum, double line, double slot) {
    String name = connection.portName(key.node, sum.port.id());
    return new PortLoad(
        key.node,
        name,
        sum.flows,
        Math.max(line, slot),
        sum.bridge,
        sum.host,
        links.busiest(),
        used(key, slot > line));
  }

  /** The ports used on the same node and in the same direction as the given one. */
  private UsedPorts used(PortKey like, boolean isCardSlower) {
    List<Sum> used =
        sums.entrySet().stream()
            .filter(entry -> entry.getKey().isSameSide(like))
            .map(Map.Entry::getValue)
            .toList();
    boolean isAssumed = used.stream().anyMatch(sum -> sum.port.isSpeedAssumed());
    double gbps =
        isCardSlower
            ? used.stream().map(sum -> sum.slot).distinct().mapToDouble(Slot::gbps).sum()
            : used.stream()
                .collect(
                    Collectors.toMap(sum -> sum.port.cable(), sum -> sum.port.bwGBps(), Math::max))
                .values()
                .stream()
                .mapToDouble(Float::doubleValue)
                .sum();
    boolean isKnown = Double.isFinite(gbps) && (isCardSlower || !isAssumed);
    return new UsedPorts(used.size(), isKnown ? gbps : 0, isCardSlower);
  }

  /** A port of a machine in one direction, which several communicators may use. */
  private record SharedPort(int machine, String name, boolean out) {}

  /**
   * The busiest port of the predicted group, with the traffic of all concurrent communicators.
   *
   * @param traffic traffic of each communicator, counted for every node
   */
  static PortLoad busiest(ConcurrentGroups groups, List<PortSums> traffic) {
    Map<SharedPort, Sum> totals = new HashMap<>();
    for (int group = 0; group < traffic.size(); group++) {
      PortSums portSums = traffic.get(group);
      for (List<Integer> machines : groups.groups().get(group).machines()) {
        portSums.sums.forEach(
            (key, sum) ->
                totals
                    .computeIfAbsent(
                        portSums.shared(key, sum, machines), shared -> new Sum(sum.port, sum.slot))
                    .add(sum));
      }
    }
    Busiest busiest = new Busiest();
    totals.forEach((port, sum) -> busiest.addToWires(port.machine, port.out, sum));
    PortSums sums = traffic.get(groups.own());
    for (List<Integer> machines : groups.groups().get(groups.own()).machines()) {
      sums.sums.forEach(
          (key, sum) -> {
            SharedPort port = sums.shared(key, sum, machines);
            busiest.compare(sums, key, port.machine, totals.getOrDefault(port, sum));
          });
    }
    return busiest.load;
  }

  private SharedPort shared(PortKey key, Sum sum, List<Integer> machines) {
    return new SharedPort(
        machines.get(key.node), connection.portName(key.node, sum.port.id()), key.out);
  }
}
