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
   * Payload of a PCI link relative to NCCL's rate: NCCL counts 24 GB/s for 16 lanes of PCIe 4.0, of
   * 31.5 GB/s after encoding; packets of 256 bytes with 26 bytes of headers leave 28.6. A bound of
   * the standard, not measured.
   */
  private static final double SLOT_SHARE = 31.5 / 24 * 256 / (256 + 26);

  private record Place(int node, int port, boolean out) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byNode = Integer.compare(node, other.node);
      int byPort = byNode != 0 ? byNode : Integer.compare(port, other.port);
      return byPort != 0 ? byPort : Boolean.compare(out, other.out);
    }

    boolean isBeside(Place other) {
      return node == other.node && out == other.out;
    }
  }

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

    /** Time of the card's PCI link, which its ports share. */
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
     * Time for one byte.
     *
     * @param wireLoad time of its cable or of the card's PCI link
     */
    double load(double wireLoad) {
      return Math.max(
          wireLoad,
          bridge / NetworkConstant.SHARE_BRIDGE.typical()
              + host / NetworkConstant.SHARE_HOST.typical());
    }
  }

  /** Path between a GPU and a port: through the CPU at the rate of PCI links, or local. */
  private record PortPath(boolean gdr, double pciGBps) {}

  /** Times that the links of nodes take for one byte, and that they are occupied. */
  private final class Links {
    private final Map<Domain, double[]> psPerByte = new IdentityHashMap<>();
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
          Link of = topology.links(node).get(link - table.firstOf(node));
          double rate = LinkRates.gbps(topology, of, domain.profile());
          boolean isInside = of.type() != LinkType.NET && rate < LinkRates.UNLIMITED_GBPS;
          times[link] = isInside ? PS_PER_NS / rate : 0;
        }
      }
      return times;
    }

    double busiest() {
      return busyPs.values().stream().flatMapToDouble(Arrays::stream).max().orElse(0);
    }
  }

  private record Pair(Domain domain, int gpu, int net) {}

  /** PCI link of a card; infinitely fast if the file does not state its rate. */
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

  private record Port(Domain domain, int net) {}

  /** PCI link of a card, or cable of ports, in one direction. */
  private record Wire(int machine, Record part, boolean out) {}

  /** Finds the port that takes longest, given the sums of all ports of each wire. */
  private static final class Busiest {
    private final Map<Wire, Double> wires = new HashMap<>();
    private PortLoad load = PortLoad.NONE;
    private double most;

    void share(int machine, boolean out, Sum sum) {
      wires.merge(new Wire(machine, sum.slot.card, out), sum.slotLoad(), Double::sum);
      wires.merge(new Wire(machine, sum.port.cable(), out), sum.line, Double::sum);
    }

    /** Considers a port whose wires have been divided among their ports. */
    void compare(PortSums sums, Place place, int machine, Sum sum) {
      double slot = wires.getOrDefault(new Wire(machine, sum.slot.card, place.out), 0.0);
      double line = wires.getOrDefault(new Wire(machine, sum.port.cable(), place.out), 0.0);
      double time = sum.load(Math.max(line, slot));
      // Of equally loaded ports that with more flows, each of which may have a rate of its own.
      if (time > most * (1 + 1e-9) || (time > most * (1 - 1e-9) && sum.flows > load.flows())) {
        most = time;
        load = sums.load(place, sum, line, slot);
      }
    }
  }

  private final Connection connection;
  private final NcclSettings settings;
  private final Map<Place, Sum> sums = new TreeMap<>();
  private final Map<Pair, PortPath> paths = new HashMap<>();
  private final Map<Port, Slot> slots = new HashMap<>();
  private final Map<Integer, int[]> gpusOfRanks = new HashMap<>();
  private final Links links = new Links();

  /** Sums for the ports of a job. */
  PortSums(Connection connection, NcclSettings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  /** Adds the data that the GPU of a rank sends and receives through a port. */
  void both(int rank, NodeId net, double part) {
    add(rank, net, true, part);
    add(rank, net, false, part);
  }

  /** Adds the data that the GPU of a rank sends or receives through a port. */
  void add(int rank, NodeId net, boolean out, double part) {
    int node = connection.nodeOf(rank);
    Domain domain = connection.domain(node);
    int[] nets = domain.topology().indexes(NodeType.NET);
    for (int place = 0; place < nets.length; place++) {
      NetNode port = (NetNode) domain.topology().node(nets[place]);
      if (port.id().equals(net)) {
        int gpu = device(node, rank);
        links.add(node, out ? gpu : nets[place], out ? nets[place] : gpu, part);
        PortPath path = paths.computeIfAbsent(new Pair(domain, gpu(node, rank), place), this::path);
        Slot slot =
            slots.computeIfAbsent(new Port(domain, place), key -> Slot.of(key.domain, key.net));
        sums.computeIfAbsent(new Place(node, place, out), key -> new Sum(port, slot))
            .add(part, path);
      }
    }
  }

  /** Adds data that a rank sends to another one of its node. */
  void inside(int from, int to, double part) {
    int node = connection.nodeOf(from);
    links.add(node, device(node, from), device(node, to), part);
  }

  /** Adds such data unless it takes NVLinks, whose time is that of the calls of a node. */
  void beside(int from, int to, double part) {
    int node = connection.nodeOf(from);
    PathType type =
        connection.domain(node).paths().type(device(node, from), device(node, to));
    if (!type.isWithin(PathType.NVB)) {
      inside(from, to, part);
    }
  }

  private int device(int node, int rank) {
    return connection.domain(node).topology().indexes(NodeType.GPU)[gpu(node, rank)];
  }

  /** Index of a rank's GPU among those of its node. */
  private int gpu(int node, int rank) {
    int first = gpusOfRanks.containsKey(node) ? 0 : Collections.min(connection.ranksOf(node));
    int[] places =
        gpusOfRanks.computeIfAbsent(node, key -> gpusOfRanks(connection.domain(node), first));
    return places[rank - places[places.length - 1]];
  }

  /** Indices of GPUs by rank on the machine, followed by the first rank of the node in the job. */
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

  private PortPath path(Pair pair) {
    Topology topology = pair.domain.topology();
    int gpu = topology.indexes(NodeType.GPU)[pair.gpu];
    int net = topology.indexes(NodeType.NET)[pair.net];
    boolean near = pair.domain.paths().type(gpu, net).isWithin(PathType.PXN);
    boolean gdr =
        new NicAccessFinder(pair.domain, settings).find(pair.gpu, pair.net).gdr().allowed();
    return new PortPath(gdr, near && gdr ? 0 : pciGBps(topology, gpu));
  }

  /** Rate of the PCI link of a device in GB/s; 0 for one that reaches the CPU by another link. */
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
    sums.forEach((place, sum) -> busiest.share(place.node, place.out, sum));
    sums.forEach((place, sum) -> busiest.compare(this, place, place.node, sum));
    return busiest.load;
  }

  private PortLoad load(Place place, Sum sum, double line, double slot) {
    String name = connection.portName(place.node, sum.port.id());
    return new PortLoad(
        place.node,
        name,
        sum.flows,
        Math.max(line, slot),
        sum.bridge,
        sum.host,
        links.busiest(),
        used(place, slot > line));
  }

  /** Ports that are used on the same node and in the same direction as the given one. */
  private UsedPorts used(Place like, boolean isCardSlower) {
    List<Sum> used =
        sums.entrySet().stream()
            .filter(entry -> entry.getKey().isBeside(like))
            .map(Map.Entry::getValue)
            .toList();
    boolean isAssumed = used.stream().anyMatch(sum -> sum.port.isSpeedAssumed());
    double gbps =
        isCardSlower
            ? used.stream().map(sum -> sum.slot).distinct().mapToDouble(Slot::gbps).sum()
            : used.stream()
                .collect(Collectors.toMap(sum -> sum.port.cable(), sum -> sum.port.bwGBps(), Math::max))
                .values()
                .stream()
                .mapToDouble(Float::doubleValue)
                .sum();
    boolean isKnown = Double.isFinite(gbps) && (isCardSlower || !isAssumed);
    return new UsedPorts(used.size(), isKnown ? gbps : 0, isCardSlower);
  }

  /** Port of a machine that communicators share. */
  private record SharedPort(int machine, String name, boolean out) {}

  /**
   * Port that takes longest among those that one of several concurrent communicators uses.
   *
   * @param traffic traffic of each communicator, counted for every node
   */
  static PortLoad busiest(ConcurrentGroups groups, List<PortSums> traffic) {
    Map<SharedPort, Sum> totals = new HashMap<>();
    for (int group = 0; group < traffic.size(); group++) {
      PortSums of = traffic.get(group);
      for (List<Integer> machines : groups.groups().get(group).machines()) {
        of.sums.forEach(
            (place, sum) ->
                totals
                    .computeIfAbsent(
                        of.shared(place, sum, machines), key -> new Sum(sum.port, sum.slot))
                    .add(sum));
      }
    }
    Busiest busiest = new Busiest();
    totals.forEach((port, sum) -> busiest.share(port.machine, port.out, sum));
    PortSums sums = traffic.get(groups.own());
    for (List<Integer> machines : groups.groups().get(groups.own()).machines()) {
      sums.sums.forEach(
          (place, sum) -> {
            SharedPort port = sums.shared(place, sum, machines);
            busiest.compare(sums, place, port.machine, totals.getOrDefault(port, sum));
          });
    }
    return busiest.load;
  }

  private SharedPort shared(Place place, Sum sum, List<Integer> machines) {
    return new SharedPort(
        machines.get(place.node), connection.portName(place.node, sum.port.id()), place.out);
  }
}
