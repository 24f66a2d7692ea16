package dev.topo.simulator.evaluate;

import dev.topo.model.CpuModel;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.io.ResourceTable;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.LinkTable;
import dev.topo.search.path.PathFinder.PeerLimit;
import dev.topo.search.path.Paths;
import dev.topo.search.transfer.Traffic;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.CallShape.TrafficRoute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The links that the channels of a communicator use inside a node. NCCL builds the channels, and
 * decides between P2P and the host's memory, by the declared topology; the data uses the links of
 * the actual machine. GPUs of both machines correspond by rank. Immutable.
 *
 * <p>If all channels send at once and must keep pace with the slowest, then under max-min fairness
 * the slowest flow gets an equal share of its busiest link. {@link Contention} contains this closed
 * form.
 */
public final class ChannelRoutes {
  /**
   * A link and the time that it is occupied by hops sent at the same time.
   *
   * @param type type of the link
   * @param from index of the node at its start in the actual machine
   * @param to index of the node at its end
   * @param busyPs time in picoseconds that the hops occupy the link
   */
  public record BusyLink(LinkType type, int from, int to, double busyPs) {}

  /** A transfer from one rank to another. */
  private record Hop(int from, int to) {}

  private final Connection connection;
  private final int node;
  private final List<Integer> ranks;
  private final PeerLimit limit;
  private final Paths actual;
  private final int[] declaredGpu;
  private final int[] actualGpu;
  private final int[] actualCpus;
  private final LinkTimes linkTimes;

  /** The routes of other communicators that send on the same machine at the same time. */
  private final List<ChannelRoutes> others;

  /** The routes of a communicator on the declared machine. */
  public ChannelRoutes(Connection connection, NcclSettings settings) {
    this(connection, settings, connection.domain(0).paths());
  }

  /** The routes of a communicator inside one of its nodes. */
  static ChannelRoutes ofNode(Connection connection, NcclSettings settings, int node) {
    return new ChannelRoutes(connection, settings, connection.domain(node).paths(), node);
  }

  /**
   * The routes of a communicator whose actual machine differs from the declared one.
   *
   * @param actual the paths of the actual machine
   */
  ChannelRoutes(Connection connection, NcclSettings settings, Paths actual) {
    this(connection, settings, actual, 0);
  }

  /** These routes while other communicators make the same calls on the same machine. */
  ChannelRoutes beside(List<ChannelRoutes> routes) {
    return new ChannelRoutes(connection, limit, actual, node, routes);
  }

  private ChannelRoutes(Connection connection, NcclSettings settings, Paths actual, int node) {
    this(
        connection,
        PeerLimit.of(connection.domain(node).paths(), settings),
        actual,
        node,
        List.of());
  }

  private ChannelRoutes(
      Connection connection, PeerLimit limit, Paths actual, int node, List<ChannelRoutes> others) {
    this.connection = connection;
    this.limit = limit;
    this.actual = actual;
    this.node = node;
    this.others = List.copyOf(others);
    this.ranks = connection.ranksOf(node);
    this.declaredGpu = gpusByRank(connection.domain(node).paths());
    this.actualGpu = gpusByRank(actual);
    this.actualCpus = actual.topology().indexes(NodeType.CPU);
    this.linkTimes = new LinkTimes(actual.topology(), actual.linkTable());
  }

  private static int leastRank(Paths paths) {
    return paths.topology().gpus().stream().mapToInt(GpuNode::rank).min().orElseThrow();
  }

  private int[] gpusByRank(Paths paths) {
    int[] byRank = new int[Collections.max(ranks) + 1];
    Arrays.fill(byRank, -1);
    int first = node == 0 ? 0 : Collections.min(ranks) - leastRank(paths);
    for (int gpu : paths.topology().indexes(NodeType.GPU)) {
      int rank = ((GpuNode) paths.topology().node(gpu)).rank() + first;
      if (rank >= 0 && rank < byRank.length) {
        byRank[rank] = gpu;
      }
    }
    for (int rank : ranks) {
      if (byRank[rank] < 0) {
        throw new IllegalArgumentException("the machine has no GPU of rank " + rank);
      }
    }
    return byRank;
  }

  /** The links that {@link #links} refers to: those of the actual machine. */
  public LinkTable linkTable() {
    return actual.linkTable();
  }

  /** True if two ranks exchange data through the host's memory. */
  public boolean isThroughHost(int from, int to) {
    return !limit.allows(declaredGpu[from], declaredGpu[to]);
  }

  /**
   * The rank that relays data between two others; {@link Connection#NONE} if they exchange it
   * directly or through the host.
   */
  private int between(int from, int to) {
    OptionalInt relay =
        isThroughHost(from, to) ? OptionalInt.empty() : connection.peerAccess(from, to).relay();
    return relay.isPresent() ? connection.rankOf(node, relay.getAsInt()) : Connection.NONE;
  }

  /** The links on the route from one rank to another. */
  public int[] links(int from, int to) {
    int a = actualGpu[from];
    int b = actualGpu[to];
    int between = between(from, to);
    if (between != Connection.NONE) {
      return linksOver(actualGpu[between], a, b);
    }
    if (!isThroughHost(from, to)) {
      return actual.links(a, b);
    }
    int place = Arrays.binarySearch(actual.topology().indexes(NodeType.GPU), b);
    return linksOver(actualCpus[actual.localCpu(place)], a, b);
  }

  private int[] linksOver(int third, int a, int b) {
    return IntStream.concat(
            Arrays.stream(actual.links(a, third)), Arrays.stream(actual.links(third, b)))
        .toArray();
  }

  /**
   * The time in picoseconds that a byte occupies a link of {@link #linkTable}.
   *
   * @param isThroughHost whether it is on its way to or from the host's memory
   */
  public double psPerByte(int link, boolean isThroughHost) {
    return linkTimes.psPerByte(link, isThroughHost);
  }

  /**
   * The contention of any traffic that is sent at the same time: for each kind of link, the time
   * that the busiest one takes at its nominal bandwidth.
   */
  Contention traffic(Traffic traffic) {
    List<Hop> hops = hops(traffic);
    return contention(hops, used(timesOfLinks(hops, traffic)), Map.of());
  }

  /** The busiest link for some traffic; empty if there is none. */
  Optional<BusyLink> busiestOf(Traffic traffic) {
    return busiest(used(timesOfLinks(hops(traffic), traffic)));
  }

  /** The time that each link of the table takes for hops; 0 for links inside a device. */
  private double[] timesOfLinks(List<Hop> hops, Traffic traffic) {
    LinkTable table = linkTable();
    double[] times = new double[table.size()];
    for (Hop hop : hops) {
      boolean throughHost = isThroughHost(hop.from, hop.to);
      long bytes = traffic.bytes(hop.from, hop.to);
      for (int link : links(hop.from, hop.to)) {
        times[link] += table.type(link) == LinkType.LOC ? 0 : bytes * psPerByte(link, throughHost);
      }
    }
    return times;
  }

  private List<Hop> hops(Traffic traffic) {
    List<Hop> hops = new ArrayList<>();
    for (int from : ranks) {
      for (int to : ranks) {
        if (from != to && traffic.bytes(from, to) > 0) {
          hops.add(new Hop(from, to));
        }
      }
    }
    return hops;
  }

  private boolean anyThroughHost(List<Hop> hops) {
    return hops.stream().anyMatch(hop -> isThroughHost(hop.from, hop.to));
  }

  private boolean anyThroughGpu(List<Hop> hops) {
    return hops.stream().anyMatch(hop -> between(hop.from, hop.to) != Connection.NONE);
  }

  /** The first channels of the rings. */
  public TrafficRoute ring(int channels) {
    return TrafficRoute.ring(contention(ringHops(channels), ofOthers(of -> of.ringHops(channels))));
  }

  private List<Hop> ringHops(int channels) {
    List<Hop> hops = new ArrayList<>();
    for (int channel = 0; channel < Math.min(channels, connection.nChannels()); channel++) {
      for (int rank : ranks) {
        int next = connection.rings().next(channel, rank);
        if (connection.nodeOf(next) == node) {
          hops.add(new Hop(rank, next));
        }
      }
    }
    return hops;
  }

  /** The first channels of the trees. */
  public TrafficRoute tree(int channels) {
    List<List<Hop>> up = hopsUpByDepth(channels);
    Map<Ends, Double> beside = ofOthers(of -> of.treeHops(channels));
    List<Contention> stages = new ArrayList<>();
    up.forEach(hops -> stages.add(contention(back(hops), beside)));
    for (List<Hop> hops : up) {
      stages.add(0, contention(hops, beside));
    }
    return new TrafficRoute(stages, contention(treeHops(channels), beside));
  }

  /** The hops to the parents by depth, those to the root first. */
  private List<List<Hop>> hopsUpByDepth(int channels) {
    List<List<Hop>> hops = new ArrayList<>(List.of(new ArrayList<>()));
    for (int channel = 0; channel < Math.min(channels, connection.nChannels()); channel++) {
      for (int rank : ranks) {
        int parent = parent(channel, rank);
        if (parent != Connection.NONE) {
          int above = 0;
          for (int r = parent; parent(channel, r) != Connection.NONE; r = parent(channel, r)) {
            above++;
          }
          while (hops.size() <= above) {
            hops.add(new ArrayList<>());
          }
          hops.get(above).add(new Hop(rank, parent));
        }
      }
    }
    return hops;
  }

  private int parent(int channel, int rank) {
    int up = connection.trees().links(channel, rank).up();
    return up == Connection.NONE || connection.nodeOf(up) == node ? up : Connection.NONE;
  }

  private static List<Hop> back(List<Hop> hops) {
    return hops.stream().map(hop -> new Hop(hop.to, hop.from)).toList();
  }

  private List<Hop> treeHops(int channels) {
    List<Hop> up = hopsUpByDepth(channels).stream().flatMap(List::stream).toList();
    return Stream.concat(up.stream(), back(up).stream()).toList();
  }

  /** The busiest link while the first channels of the rings run. */
  public Optional<BusyLink> busiestOfRings(int channels) {
    return busiest(used(ringHops(channels)));
  }

  /** The busiest link while the first channels of the trees run. */
  Optional<BusyLink> busiestOfTrees(int channels) {
    return busiest(used(treeHops(channels)));
  }

  /** The links inside the machine that hops use, in order. */
  private List<BusyLink> used(List<Hop> hops) {
    return used(timesOfLinks(hops, (from, to) -> 1));
  }

  private List<BusyLink> used(double[] times) {
    LinkTable table = linkTable();
    List<BusyLink> used = new ArrayList<>();
    for (int node = 0; node < actual.topology().size(); node++) {
      for (int link = table.firstOf(node); link < table.endOf(node); link++) {
        if (times[link] > 0) {
          used.add(new BusyLink(table.type(link), node, table.to(link), times[link]));
        }
      }
    }
    return used;
  }

  private static Optional<BusyLink> busiest(List<BusyLink> links) {
    return links.stream().max(Comparator.comparingDouble(BusyLink::busyPs));
  }

  /** The ends of a link, by ids that all communicators on a machine share. */
  private record Ends(NodeType fromType, NodeId from, NodeType toType, NodeId to) {}

  private Ends ends(BusyLink link) {
    Node from = actual.topology().node(link.from());
    Node to = actual.topology().node(link.to());
    return new Ends(from.type(), from.id(), to.type(), to.id());
  }

  /** The time that each link takes for one byte of each hop of the other communicators. */
  private Map<Ends, Double> ofOthers(Function<ChannelRoutes, List<Hop>> hops) {
    Map<Ends, Double> times = new HashMap<>();
    for (ChannelRoutes other : others) {
      for (BusyLink link : other.used(hops.apply(other))) {
        times.merge(other.ends(link), link.busyPs(), Double::sum);
      }
    }
    return times;
  }

  private Contention contention(List<Hop> hops, Map<Ends, Double> beside) {
    return contention(hops, used(hops), beside);
  }

  private Contention contention(List<Hop> hops, List<BusyLink> links, Map<Ends, Double> beside) {
    double nvlink = 0;
    double other = 0;
    for (BusyLink link : links) {
      double more = beside.isEmpty() ? 0 : beside.getOrDefault(ends(link), 0.0);
      double time = link.busyPs() + more;
      if (link.type() == LinkType.NVL) {
        nvlink = Math.max(nvlink, time);
      } else {
        other = Math.max(other, time);
      }
    }
    return new Contention(nvlink, other, anyThroughHost(hops), anyThroughGpu(hops));
  }

  /**
   * The time that a byte occupies the links inside a machine. NCCL's own numbers serve its choice
   * of channels and depend on the release for links between CPUs; these do not.
   */
  static final class LinkTimes {
    private static final double PS_PER_NS = 1000;

    private static final Map<CpuModel, Double> BETWEEN_CPUS = betweenCpus();

    /**
     * The fraction of NCCL's number that links between other x86 CPUs reach; no release changed
     * that number.
     */
    private static final double OTHER_CPUS = number("other-cpus");

    /** How many times as long a byte occupies a PCI link on its way through the host's memory. */
    private static final double THROUGH_HOST = number("host");

    private final double[] direct;
    private final double[] throughHost;

    /** The times of the links of a table of this topology. */
    LinkTimes(Topology topology, LinkTable table) {
      this.direct = new double[table.size()];
      this.throughHost = new double[table.size()];
      for (int node = 0; node < topology.size(); node++) {
        for (int link = table.firstOf(node); link < table.endOf(node); link++) {
          boolean isBetweenCpus = table.type(link) == LinkType.SYS;
          double rate =
              isBetweenCpus
                  ? betweenCpus((CpuNode) topology.node(node), table.bwGBps(link))
                  : table.bwGBps(link);
          direct[link] = PS_PER_NS / rate;
          boolean isPci = table.type(link) == LinkType.PCI;
          throughHost[link] = direct[link] * (isPci ? THROUGH_HOST : 1);
        }
      }
    }

    private static double betweenCpus(CpuNode cpu, double plannedGBps) {
      double others = cpu.arch() == CpuArch.X86 ? OTHER_CPUS * plannedGBps : plannedGBps;
      return BETWEEN_CPUS.getOrDefault(cpu.model(), others);
    }

    /**
     * The time that a byte occupies a link, without protocol overhead.
     *
     * @param isThroughHost whether it is on its way to or from the host's memory
     */
    double psPerByte(int link, boolean isThroughHost) {
      return isThroughHost ? throughHost[link] : direct[link];
    }

    private static Map<CpuModel, Double> betweenCpus() {
      Map<CpuModel, Double> rates = new EnumMap<>(CpuModel.class);
      for (List<String> row : rows("cpu")) {
        rates.put(CpuModel.valueOf(row.get(0)), Double.valueOf(row.get(1)));
      }
      return rates;
    }

    private static double number(String kind) {
      return Double.parseDouble(rows(kind).get(0).get(0));
    }

    private static List<List<String>> rows(String kind) {
      return ResourceTable.rows(LinkTimes.class, "links.txt", kind);
    }
  }
}
