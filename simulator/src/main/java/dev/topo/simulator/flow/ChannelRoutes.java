package dev.topo.simulator.flow;

import dev.topo.model.LinkType;
import dev.topo.model.PathType;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NodeType;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import dev.topo.search.path.Domain;
import dev.topo.search.path.LinkTable;
import dev.topo.search.path.PathFinder;
import dev.topo.search.path.Paths;
import dev.topo.simulator.timing.Contention;
import dev.topo.simulator.timing.TrafficRoute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Where the channels of a communicator on one node run. NCCL builds them, and decides between P2P
 * and the host's memory, by the topology that it was told ("declared"); the data then goes over the
 * links of the machine that is there ("actual"). GPUs are the same if they have the same rank.
 * Immutable.
 *
 * <p>Where every channel sends at once and all must keep pace with the slowest, the slowest flow
 * under {@link FairShare} gets what its busiest link has for each of its flows; that closed form is
 * what {@link Contention} holds.
 */
public final class ChannelRoutes {
  private static final double PS_PER_NS = 1000;

  private final Connection connection;
  private final Paths declared;
  private final PathType p2pLevel;
  private final Paths actual;
  private final int[] declaredGpu;
  private final int[] actualGpu;
  private final int[] actualCpus;

  /** The routes of a communicator on the machine that NCCL was told of. */
  public ChannelRoutes(Connection connection, NcclSettings settings) {
    this(connection, settings, connection.domain(0).paths());
  }

  /**
   * The routes of a communicator on another machine than NCCL was told of.
   *
   * @param actual the paths of the machine that is there
   */
  public ChannelRoutes(Connection connection, NcclSettings settings, Paths actual) {
    if (connection.nNodes() != 1) {
      throw new IllegalArgumentException(
          connection.nNodes() + " nodes: routes are known inside one node only");
    }
    Domain domain = connection.domain(0);
    this.connection = connection;
    this.declared = domain.paths();
    this.p2pLevel = PathFinder.p2pLevel(domain.topology(), settings, domain.profile());
    this.actual = actual;
    this.declaredGpu = gpusByRank(declared, connection.nRanks());
    this.actualGpu = gpusByRank(actual, connection.nRanks());
    this.actualCpus = actual.topology().indexes(NodeType.CPU);
  }

  private static int[] gpusByRank(Paths paths, int nRanks) {
    int[] byRank = new int[nRanks];
    Arrays.fill(byRank, -1);
    for (int gpu : paths.topology().indexes(NodeType.GPU)) {
      int rank = ((GpuNode) paths.topology().node(gpu)).rank();
      if (rank >= 0 && rank < nRanks) {
        byRank[rank] = gpu;
      }
    }
    for (int rank = 0; rank < nRanks; rank++) {
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

  /** Whether two ranks exchange data through the host's memory. */
  public boolean isThroughHost(int from, int to) {
    return !declared.type(declaredGpu[from], declaredGpu[to]).isWithin(p2pLevel);
  }

  /**
   * The rank in whose memory two others exchange data, where NCCL takes the way from one GPU to the
   * other to lead over a third ({@code ncclTopoCheckP2p}, {@code nccl:src/graph/paths.cc}); {@link
   * Connection#NONE} if they do so directly or through the host.
   */
  private int between(int from, int to) {
    int[] way = declared.links(declaredGpu[from], declaredGpu[to]);
    if (way.length != 2 || isThroughHost(from, to)) {
      return Connection.NONE;
    }
    int third = declared.linkTable().to(way[0]);
    return declared.topology().node(third) instanceof GpuNode gpu ? gpu.rank() : Connection.NONE;
  }

  /** The links that data takes from one rank to another. */
  public int[] links(int from, int to) {
    int a = actualGpu[from];
    int b = actualGpu[to];
    int between = between(from, to);
    if (between != Connection.NONE) {
      return linksOver(actualGpu[between], a, b);
    }
    return isThroughHost(from, to)
        ? linksOver(actualCpus[actual.localCpu(placeAmongGpus(b))], a, b)
        : actual.links(a, b);
  }

  private int[] linksOver(int third, int a, int b) {
    return IntStream.concat(
            Arrays.stream(actual.links(a, third)), Arrays.stream(actual.links(third, b)))
        .toArray();
  }

  private int placeAmongGpus(int gpu) {
    int[] gpus = actual.topology().indexes(NodeType.GPU);
    return Arrays.binarySearch(gpus, gpu);
  }

  /** The first channels of the rings. */
  public TrafficRoute ring(int channels) {
    return TrafficRoute.ring(contention(ringHops(channels)));
  }

  private List<int[]> ringHops(int channels) {
    List<int[]> hops = new ArrayList<>();
    for (int channel = 0; channel < channels; channel++) {
      for (int rank = 0; rank < connection.nRanks(); rank++) {
        hops.add(new int[] {rank, connection.rings().next(channel, rank)});
      }
    }
    return hops;
  }

  /** The first channels of the trees. */
  public TrafficRoute tree(int channels) {
    List<List<int[]>> up = new ArrayList<>();
    List<List<int[]>> down = new ArrayList<>();
    int[][] depths = new int[channels][];
    int deepest = 0;
    for (int channel = 0; channel < channels; channel++) {
      depths[channel] = depths(channel);
      deepest = Math.max(deepest, Arrays.stream(depths[channel]).max().orElse(0));
    }
    for (int level = 0; level < deepest; level++) {
      up.add(new ArrayList<>());
      down.add(new ArrayList<>());
    }
    for (int channel = 0; channel < channels; channel++) {
      for (int rank = 0; rank < connection.nRanks(); rank++) {
        int depth = depths[channel][rank];
        if (depth > 0) {
          int parent = connection.trees().links(channel, rank).up();
          up.get(deepest - depth).add(new int[] {rank, parent});
          down.get(depth - 1).add(new int[] {parent, rank});
        }
      }
    }
    List<Contention> stages = new ArrayList<>();
    up.forEach(hops -> stages.add(contention(hops)));
    down.forEach(hops -> stages.add(contention(hops)));
    return new TrafficRoute(stages, contention(treeHops(channels)));
  }

  private List<int[]> treeHops(int channels) {
    List<int[]> hops = new ArrayList<>();
    for (int channel = 0; channel < channels; channel++) {
      for (int rank = 0; rank < connection.nRanks(); rank++) {
        int parent = connection.trees().links(channel, rank).up();
        if (parent != Connection.NONE) {
          hops.add(new int[] {rank, parent});
          hops.add(new int[] {parent, rank});
        }
      }
    }
    return hops;
  }

  /** The link that has the most to carry where the rings, on some channels, are at work. */
  public Optional<BusyLink> busiestOfRings(int channels) {
    return busiest(ringHops(channels));
  }

  /** The link that has the most to carry where the trees, on some channels, are at work. */
  public Optional<BusyLink> busiestOfTrees(int channels) {
    return busiest(treeHops(channels));
  }

  /** How many of the hops use each link. */
  private int[] users(List<int[]> hops) {
    int[] users = new int[linkTable().size()];
    for (int[] hop : hops) {
      for (int link : links(hop[0], hop[1])) {
        users[link]++;
      }
    }
    return users;
  }

  private Optional<BusyLink> busiest(List<int[]> hops) {
    int[] users = users(hops);
    Optional<BusyLink> busiest = Optional.empty();
    for (int node = 0; node < actual.topology().size(); node++) {
      for (int link = linkTable().firstOf(node); link < linkTable().endOf(node); link++) {
        if (users[link] > 0 && linkTable().type(link) != LinkType.LOC) {
          BusyLink used =
              new BusyLink(
                  linkTable().type(link),
                  node,
                  linkTable().to(link),
                  linkTable().bwGBps(link),
                  users[link]);
          if (busiest.isEmpty() || used.load() > busiest.get().load()) {
            busiest = Optional.of(used);
          }
        }
      }
    }
    return busiest;
  }

  private int[] depths(int channel) {
    int[] depths = new int[connection.nRanks()];
    for (int rank = 0; rank < depths.length; rank++) {
      Trees.Links links = connection.trees().links(channel, rank);
      while (links.up() != Connection.NONE) {
        depths[rank]++;
        links = connection.trees().links(channel, links.up());
      }
    }
    return depths;
  }

  private Contention contention(List<int[]> hops) {
    int[] users = users(hops);
    boolean host = hops.stream().anyMatch(hop -> isThroughHost(hop[0], hop[1]));
    double nvlink = 0;
    double other = 0;
    for (int link = 0; link < users.length; link++) {
      if (users[link] > 0) {
        double time = users[link] / (double) linkTable().bwGBps(link) * PS_PER_NS;
        if (linkTable().type(link) == LinkType.NVL) {
          nvlink = Math.max(nvlink, time);
        } else if (linkTable().type(link) != LinkType.LOC) {
          other = Math.max(other, time);
        }
      }
    }
    boolean third = hops.stream().anyMatch(hop -> between(hop[0], hop[1]) != Connection.NONE);
    return new Contention(nvlink, other, host, third);
  }
}
