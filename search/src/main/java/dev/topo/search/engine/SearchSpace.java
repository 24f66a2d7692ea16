package dev.topo.search.engine;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Node;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NicNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.path.Domain;
import dev.topo.search.path.LinkTable;
import dev.topo.search.path.LocalDevices;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.PathRules;
import dev.topo.search.rules.SearchRules;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A domain in plain arrays. GPUs and ports are identified by their index among the nodes of their
 * type. Immutable.
 */
final class SearchSpace {
  final SearchRules rules;
  final PathRules pathRules;
  final int gpus;
  final int nets;
  final boolean hasNvSwitch;
  final boolean crossesNetwork;
  final boolean severalHosts;
  final PathRoute[] gpuToGpu;
  final PathRoute[] gpuToNet;
  final PathRoute[] netToGpu;
  final PathRoute[] gpuToNvs;
  final PathRoute[] nvsToGpu;

  /** The PCI link of each GPU; -1 if it has none. */
  final int[] pciUplink;

  /** The link back to each GPU from the other end of its PCI link; -1 if there is none. */
  final int[] pciDownlink;

  final List<GpuNode> gpuNodes;
  final List<NetNode> netNodes;

  /** For each port, the first port with the same id, which NCCL finds when it searches by id. */
  final int[] firstLike;

  /** The GPU that drives each port, or -1. */
  final int[] driver;

  /** For each port, the GPUs at which a channel from it may begin, in order. */
  final int[][] firstGpus;

  final LocalDevices locals;
  final PortRails rails;

  SearchSpace(Domain domain, NcclSettings settings) {
    Paths paths = domain.paths();
    rules = domain.profile().search();
    pathRules = domain.profile().paths();
    LinkTable links = paths.linkTable();
    Topology topology = domain.topology();
    int[] gpuIndexes = topology.indexes(NodeType.GPU);
    int[] netIndexes = topology.indexes(NodeType.NET);
    int[] nvsIndexes = topology.indexes(NodeType.NVS);
    gpuNodes = topology.gpus();
    netNodes = topology.nets();
    gpus = gpuIndexes.length;
    nets = netIndexes.length;
    hasNvSwitch = nvsIndexes.length > 0;
    crossesNetwork = domain.crossesNetwork();
    severalHosts = topology.hasCpusOfSeveralHosts();
    gpuToGpu = routes(paths, gpuIndexes, gpuIndexes);
    gpuToNet = routes(paths, gpuIndexes, netIndexes);
    netToGpu = routes(paths, netIndexes, gpuIndexes);
    gpuToNvs = routes(paths, gpuIndexes, nvsIndexes);
    nvsToGpu = routes(paths, nvsIndexes, gpuIndexes);
    pciUplink = new int[gpus];
    pciDownlink = new int[gpus];
    for (int g = 0; g < gpus; g++) {
      pciUplink[g] = pciUplink(links, gpuIndexes[g]);
      pciDownlink[g] = pciUplink[g] < 0 ? -1 : linkTo(links, links.to(pciUplink[g]), gpuIndexes[g]);
    }
    locals = paths.localDevices();
    firstLike = new int[nets];
    driver = new int[nets];
    for (int n = 0; n < nets; n++) {
      firstLike[n] = topology.firstNetLike(n);
      driver[n] = locals.gpuOf(n);
    }
    rails = new PortRails(topology, settings.railPerHost());
    firstGpus = new int[nets][];
    for (int n = 0; n < nets; n++) {
      firstGpus[n] =
          switch (rules.firstGpus) {
            case DRIVER_FIRST -> driverFirst(n);
            case NEAREST -> locals.gpusNear(n);
            case FASTEST_BY_TURNS -> fastest(n);
          };
    }
  }

  private int[] driverFirst(int net) {
    int first = driver[net];
    IntStream others = IntStream.of(locals.gpusNear(net)).filter(gpu -> gpu != first);
    return (first < 0 ? others : IntStream.concat(IntStream.of(first), others)).toArray();
  }

  /** The GPUs with the highest bandwidth from a port, and among them those with the fewest hops. */
  private int[] fastest(int net) {
    float bw = 0;
    int hops = 0;
    for (int g = 0; g < gpus; g++) {
      PathRoute route = netToGpu(net, g);
      if (route.bwGBps > bw || (route.bwGBps == bw && route.hops() < hops)) {
        bw = route.bwGBps;
        hops = route.hops();
      }
    }
    float maxBw = bw;
    int minHops = hops;
    return IntStream.range(0, gpus)
        .filter(g -> netToGpu(net, g).bwGBps == maxBw && netToGpu(net, g).hops() == minHops)
        .filter(g -> minHops > 0)
        .toArray();
  }

  private static PathRoute[] routes(Paths paths, int[] from, int[] to) {
    PathRoute[] routes = new PathRoute[from.length * to.length];
    for (int f = 0; f < from.length; f++) {
      for (int t = 0; t < to.length; t++) {
        routes[f * to.length + t] = new PathRoute(paths, from[f], to[t]);
      }
    }
    return routes;
  }

  private static int pciUplink(LinkTable links, int gpu) {
    return IntStream.range(links.firstOf(gpu), links.endOf(gpu))
        .filter(l -> links.type(l) == LinkType.PCI)
        .findFirst()
        .orElse(-1);
  }

  private static int linkTo(LinkTable links, int from, int to) {
    return IntStream.range(links.firstOf(from), links.endOf(from))
        .filter(l -> links.to(l) == to)
        .findFirst()
        .orElse(-1);
  }

  PathRoute gpuToGpu(int from, int to) {
    return gpuToGpu[from * gpus + to];
  }

  PathRoute gpuToNet(int gpu, int net) {
    return gpuToNet[gpu * nets + net];
  }

  PathRoute netToGpu(int net, int gpu) {
    return netToGpu[net * gpus + gpu];
  }

  /**
   * Which ports share a rail or a plane of the network ({@code ncclTopoSearchCheckNet}, {@code
   * nccl:src/graph/search.cc}). Immutable.
   */
  static final class PortRails {
    private final int nets;
    private final boolean[] sameRail;
    private final boolean[] otherPlane;

    /**
     * Compares all ports of a topology.
     *
     * @param railPerHost whether the ports of one PCI device are one rail on every host of an
     *     NVLink domain (NCCL_MNNVL_RAIL_PER_HOST); else a rail is a chip of one host
     */
    PortRails(Topology topology, boolean railPerHost) {
      List<NetNode> ports = topology.nets();
      nets = ports.size();
      sameRail = new boolean[nets * nets];
      otherPlane = new boolean[nets * nets];
      int[] nodes = topology.indexes(NodeType.NET);
      List<Node> cards =
          IntStream.range(0, nets).mapToObj(net -> card(topology, nodes[net])).toList();
      for (int a = 0; a < nets; a++) {
        for (int b = 0; b < nets; b++) {
          NetNode port = ports.get(a);
          NetNode other = ports.get(b);
          boolean byCard = railPerHost && port.systemId() != other.systemId();
          sameRail[a * nets + b] =
              port.rail().isPresent() && other.rail().isPresent()
                  ? port.rail().equals(other.rail())
                  : port.port() == other.port()
                      && (byCard
                          ? isAtSamePlace(port, cards.get(a), other, cards.get(b))
                          : port.asic() == other.asic());
          otherPlane[a * nets + b] = areOther(port.plane(), other.plane());
        }
      }
    }

    private static Node card(Topology topology, int port) {
      return topology.links(port).stream()
          .filter(link -> link.type() == LinkType.NET)
          .map(link -> topology.node(link.to()))
          .filter(node -> node.type() == NodeType.NIC)
          .findFirst()
          .orElse(topology.node(port));
    }

    /** Compares PCI bus ids; chips for ports that are not PCI devices ({@code ncclTopoAddNet}). */
    private static boolean isAtSamePlace(
        NetNode port, Node portCard, NetNode other, Node otherCard) {
      boolean onPci = isOnPci(portCard);
      return onPci == isOnPci(otherCard)
          && (onPci
              ? portCard.id().localId() == otherCard.id().localId()
              : port.asic() == other.asic());
    }

    /** Ports that are not PCI devices share a card with the number 0. */
    private static boolean isOnPci(Node card) {
      return card instanceof NicNode && card.id().localId() != 0;
    }

    private static boolean areOther(OptionalInt a, OptionalInt b) {
      return a.isPresent() && b.isPresent() && !a.equals(b);
    }

    boolean isOnSameRail(int net, int other) {
      return sameRail[net * nets + other];
    }

    /** True if two ports are on different planes of the network, without a path between them. */
    boolean isOnOtherPlane(int net, int other) {
      return otherPlane[net * nets + other];
    }
  }
}
