package dev.topo.search.connect;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.path.Domain;
import dev.topo.search.path.LocalDevices;
import dev.topo.search.path.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The nodes of a job in NCCL's order and the ranks on them. NCCL numbers nodes in the order of
 * their first ranks ({@code initTransportsRank}, {@code nccl:src/init.cc}): by machine, and on a
 * machine by the lowest rank. Equal nodes share one {@link NodeTemplate}; each node adds two
 * numbers, each rank one. Immutable.
 */
final class JobNodes {
  private final List<NodeTemplate> kinds;
  private final List<NodeTemplate> distinctKinds;
  private final int[] firstRankOfMachine;
  private final int[] nodeOfRank;
  private final boolean severalHosts;

  private JobNodes(
      List<NodeTemplate> kinds, int[] firstRankOfMachine, int[] nodeOfRank, boolean severalHosts) {
    this.kinds = List.copyOf(kinds);
    this.distinctKinds = kinds.stream().distinct().toList();
    this.firstRankOfMachine = firstRankOfMachine;
    this.nodeOfRank = nodeOfRank;
    this.severalHosts = severalHosts;
  }

  /** Numbers the nodes of a job and the ranks on them. */
  static JobNodes of(JobGraphs found) {
    Job job = found.domains().job();
    Map<Machine, List<NodeTemplate>> kindsOf = new HashMap<>();
    found.ofMachine().forEach((machine, domains) -> kindsOf.put(machine, kinds(domains)));
    List<NodeTemplate> kinds = new ArrayList<>();
    int[] nodeOfRank = new int[job.nRanks()];
    int[] firstRanks = new int[nodeOfRank.length];
    int firstRank = 0;
    for (Machine machine : job.machines()) {
      for (NodeTemplate kind : Objects.requireNonNull(kindsOf.get(machine))) {
        for (GpuNode gpu : kind.gpus()) {
          nodeOfRank[firstRank + gpu.rank()] = kinds.size();
        }
        firstRanks[kinds.size()] = firstRank;
        kinds.add(kind);
      }
      firstRank += machine.nRanks();
    }
    return new JobNodes(
        kinds,
        Arrays.copyOf(firstRanks, kinds.size()),
        nodeOfRank,
        found.domains().hasSeveralHosts());
  }

  private static List<NodeTemplate> kinds(List<DomainGraphs> domains) {
    return domains.stream()
        .map(kind -> new NodeTemplate(kind.domain(), kind.graphs()))
        .sorted(Comparator.comparingInt(kind -> kind.gpus().get(0).rank()))
        .toList();
  }

  /** True if NVLink does not join all hosts into one node. */
  boolean hasSeveralHosts() {
    return severalHosts;
  }

  int nNodes() {
    return kinds.size();
  }

  int nRanks() {
    return nodeOfRank.length;
  }

  int nodeOf(int rank) {
    return nodeOfRank[rank];
  }

  NodeTemplate kind(int node) {
    return kinds.get(node);
  }

  /** The kinds of nodes, each once, in the order in which they appear. */
  List<NodeTemplate> kinds() {
    return distinctKinds;
  }

  /** The graphs with a channel to another node by a port that its node does not have. */
  Set<GraphKind> graphsWithoutPort() {
    return kinds().stream()
        .filter(kind -> nNodes() > 1)
        .flatMap(kind -> kind.graphs().all().stream().filter(graph -> !kind.hasPorts(graph)))
        .map(ChannelGraph::kind)
        .collect(Collectors.toSet());
  }

  int minSm() {
    return kinds().stream()
        .mapToInt(kind -> kind.domain().topology().minSm().orElseThrow())
        .min()
        .orElseThrow();
  }

  int maxLocalRanks() {
    return kinds().stream().mapToInt(NodeTemplate::size).max().orElseThrow();
  }

  int minLocalRanks() {
    return kinds().stream().mapToInt(NodeTemplate::size).min().orElseThrow();
  }

  /** Bandwidth of the slowest port that a GPU uses; 0 if one reaches no port. */
  float slowestPortGBps() {
    float slowest = Float.POSITIVE_INFINITY;
    for (NodeTemplate kind : kinds()) {
      Paths paths = kind.domain().paths();
      for (int gpu = 0; gpu < kind.size(); gpu++) {
        boolean reachesPort = paths.localDevices().netsNear(gpu).length > 0;
        slowest = Math.min(slowest, reachesPort ? GpuPorts.all(paths, gpu).slowestGBps() : 0);
      }
    }
    return slowest;
  }

  /** The rank in the job of a GPU that has a given rank on the machine of a node. */
  int toJob(int node, int rankOnMachine) {
    return firstRankOfMachine[node] + rankOnMachine;
  }

  /** The rank on its machine of a GPU that has a given rank in the job. */
  int toMachine(int rank) {
    return rank - firstRankOfMachine[nodeOfRank[rank]];
  }

  /**
   * The ports that a GPU uses for its channels, from the first on.
   *
   * @param count number of ports
   * @param totalGBps total bandwidth of the paths to them
   * @param slowestGBps bandwidth of the slowest of these paths; 0 without ports
   */
  record GpuPorts(int count, float totalGBps, float slowestGBps) {
    /**
     * All ports that a GPU uses in turn ({@code ncclTopoGetMinNetBw}, {@code
     * nccl:src/graph/topo.cc}).
     *
     * @param gpu place of the GPU among the GPUs
     */
    static GpuPorts all(Paths paths, int gpu) {
      return upTo(paths, gpu, Float.POSITIVE_INFINITY);
    }

    /**
     * The ports needed to carry the bandwidth from the GPU to its CPU ({@code
     * ncclTopoGetLocalNetCountByBw}, {@code nccl:src/graph/topo.cc}, from 2.29 on).
     */
    static GpuPorts filled(Paths paths, int gpu) {
      int from = paths.topology().indexes(NodeType.GPU)[gpu];
      int cpu = paths.topology().indexes(NodeType.CPU)[paths.localCpu(gpu)];
      return upTo(paths, gpu, paths.bwGBps(from, cpu));
    }

    private static GpuPorts upTo(Paths paths, int gpu, float enoughGBps) {
      LocalDevices devices = paths.localDevices();
      int from = paths.topology().indexes(NodeType.GPU)[gpu];
      int[] nets = paths.topology().indexes(NodeType.NET);
      int count = 0;
      float total = 0;
      float slowest = Float.POSITIVE_INFINITY;
      int first = devices.netFor(gpu, 0);
      for (int channel = 0; channel < paths.profile().connect().maxChannels; channel++) {
        int net = devices.netFor(gpu, channel);
        if (channel > 0 && net == first) {
          break;
        }
        float bw = paths.bwGBps(from, nets[net]);
        count++;
        total += bw;
        slowest = Math.min(slowest, bw);
        if (total >= enoughGBps) {
          break;
        }
      }
      return new GpuPorts(count, total, slowest);
    }
  }

  /**
   * The properties that equal nodes of a job share: their domain, its graphs, and the roles of the
   * GPUs in them ({@code ncclTopoPreset}, {@code nccl:src/graph/connect.cc}). A node is defined as
   * in NCCL: the GPUs of a machine that reach each other without the network. Ranks are those on
   * the machine.
   */
  static final class NodeTemplate {
    private final Domain domain;
    private final NodeGraphs searched;
    private final NodeGraphs graphs;
    private final List<GpuNode> gpus;

    /** The place of the GPU of each rank among those of the topology. */
    private final Map<Integer, Integer> places = new HashMap<>();

    private final Map<GraphKind, List<ChannelOrder>> orders = new EnumMap<>(GraphKind.class);
    private final List<Integer> nvlsHeads;

    NodeTemplate(Domain domain, NodeGraphs searched) {
      this.domain = domain;
      this.searched = searched;
      this.graphs = withDirect(searched, domain.profile().search().graphFormat.graphs());
      this.gpus =
          domain.topology().gpus().stream().sorted(Comparator.comparingInt(GpuNode::rank)).toList();
      for (int place = 0; place < gpus.size(); place++) {
        places.put(domain.topology().gpus().get(place).rank(), place);
      }
      for (GraphKind kind : GraphKind.values()) {
        if (kind != GraphKind.NVLS) {
          orders.put(kind, orders(kind));
        }
      }
      List<Integer> heads =
          graphs.get(GraphKind.NVLS).channels().stream().map(c -> c.ranks().get(0)).toList();
      this.nvlsHeads =
          domain.profile().connect().headOfEachChannel ? heads : heads.stream().distinct().toList();
    }

    private List<ChannelOrder> orders(GraphKind kind) {
      List<Integer> expected = gpus.stream().map(GpuNode::rank).toList();
      for (Channel channel : graphs.get(kind).channels()) {
        if (!channel.ranks().stream().sorted().toList().equals(expected)) {
          throw new IllegalArgumentException(
              "a channel of the %s graph has ranks %s, expected each GPU of the node once"
                  .formatted(kind.label(), channel.ranks()));
        }
      }
      return graphs.get(kind).channels().stream().map(ChannelOrder::new).toList();
    }

    /** CollNetDirect uses the chains where the version has no graph of its own for it. */
    private static NodeGraphs withDirect(NodeGraphs searched, List<GraphKind> kinds) {
      if (kinds.contains(GraphKind.COLLNET_DIRECT)) {
        return searched;
      }
      return new NodeGraphs(
          kinds.stream()
              .flatMap(kind -> searched.find(kind).stream())
              .flatMap(
                  graph ->
                      graph.kind() == GraphKind.COLLNET_CHAIN
                          ? Stream.of(graph, graph.usedFor(GraphKind.COLLNET_DIRECT))
                          : Stream.of(graph))
              .toList());
    }

    Domain domain() {
      return domain;
    }

    /** The graphs by kind; CollNetDirect may share those of the chains. */
    NodeGraphs graphs() {
      return graphs;
    }

    NodeGraphs searchedGraphs() {
      return searched;
    }

    List<GpuNode> gpus() {
      return gpus;
    }

    GpuNode gpu(int rank) {
      return domain.topology().gpus().get(place(rank));
    }

    /** The place of the GPU of a rank among those of the topology. */
    int place(int rank) {
      return Objects.requireNonNull(places.get(rank));
    }

    int size() {
      return gpus.size();
    }

    /** For each pair of GPUs, true if NVLink joins them ({@code ncclTopoPathAllNVLink}). */
    Stream<Boolean> nvlinkPairs() {
      Paths paths = domain.paths();
      PathType limit = domain.profile().paths().allNvlink;
      int[] indexes = paths.topology().indexes(NodeType.GPU);
      return Arrays.stream(indexes)
          .boxed()
          .flatMap(
              from ->
                  Arrays.stream(indexes)
                      .filter(to -> to != from)
                      .mapToObj(to -> paths.type(from, to).isWithin(limit)));
    }

    Pattern treePattern() {
      return graphs.get(GraphKind.TREE).pattern();
    }

    /**
     * True if its rings stay on one rail only if neighbouring rings are swapped on every other
     * node.
     */
    boolean hasAlternatingRings() {
      return domain.profile().connect().isAlternating(graphs.get(GraphKind.RING).crossNic());
    }

    /** Number of channels that both rings and trees have. */
    int nChannels() {
      return Math.min(
          graphs.get(GraphKind.RING).nChannels(), graphs.get(GraphKind.TREE).nChannels());
    }

    /** The GPUs of a searched channel; not for NVLS, whose channels have no order. */
    ChannelOrder order(GraphKind kind, int channel) {
      return Objects.requireNonNull(orders.get(kind)).get(channel);
    }

    private boolean hasPorts(ChannelGraph graph) {
      List<NodeId> ports = domain.topology().nets().stream().map(NetNode::id).toList();
      return ports.isEmpty()
          || graph.channels().stream()
              .flatMap(channel -> channel.nets().stream())
              .allMatch(nets -> ports.contains(nets.in()) && ports.contains(nets.out()));
    }

    /** The rank that links the tree of a channel to its parent node. */
    int treeToParent(int channel) {
      return order(GraphKind.TREE, channel).first();
    }

    /** The rank that links the tree of a channel to its first child node. */
    int treeToChild0(int channel) {
      return treeEnd(channel, treePattern() == Pattern.TREE ? 0 : 1);
    }

    /** The rank that links the tree of a channel to its second child node. */
    int treeToChild1(int channel) {
      return treeEnd(channel, treePattern() == Pattern.SPLIT_TREE ? 1 : 0);
    }

    private int treeEnd(int channel, int place) {
      ChannelOrder order = order(GraphKind.TREE, channel);
      return order.at(Math.min(place, order.size() - 1));
    }

    /** The GPUs that are heads of NVLS, in the order of their channels. */
    List<Integer> nvlsHeads() {
      return nvlsHeads;
    }

    /** The GPUs of a channel on one node, both by place and by rank on their machine. Immutable. */
    static final class ChannelOrder {
      private final int[] ranks;
      private final int[] places;

      /** The order of a channel that passes every GPU of its node once. */
      ChannelOrder(Channel channel) {
        this.ranks = channel.ranks().stream().mapToInt(Integer::intValue).toArray();
        this.places = new int[Arrays.stream(ranks).max().orElse(-1) + 1];
        Arrays.fill(places, -1);
        for (int place = 0; place < ranks.length; place++) {
          places[ranks[place]] = place;
        }
      }

      int size() {
        return ranks.length;
      }

      int at(int place) {
        return ranks[place];
      }

      int first() {
        return ranks[0];
      }

      int last() {
        return ranks[ranks.length - 1];
      }

      int placeOf(int rank) {
        return places[rank];
      }
    }
  }
}
