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
 * The nodes of a job in NCCL's order, and the ranks on each of them. NCCL numbers nodes by their
 * lowest rank ({@code initTransportsRank}, {@code nccl:src/init.cc}): by machine first, then by the
 * lowest rank on the machine. Equal nodes share one {@link NodeTemplate}, so memory grows only by a
 * reference and an integer per node and an integer per rank. Immutable.
 */
final class JobNodes {
  /** The template of each node. */
  private final List<NodeTemplate> templates;

  private final List<NodeTemplate> distinctTemplates;

  /** For each node, the lowest job rank on its machine, which may have several nodes. */
  private final int[] machineBase;

  private final int[] nodeOfRank;
  private final boolean severalHosts;

  private JobNodes(
      List<NodeTemplate> templates, int[] machineBase, int[] nodeOfRank, boolean severalHosts) {
    this.templates = List.copyOf(templates);
    this.distinctTemplates = templates.stream().distinct().toList();
    this.machineBase = machineBase;
    this.nodeOfRank = nodeOfRank;
    this.severalHosts = severalHosts;
  }

  /** Numbers the nodes of a job and assigns its ranks to them. */
  static JobNodes of(JobGraphs jobGraphs) {
    Job job = jobGraphs.domains().job();
    Map<Machine, List<NodeTemplate>> templatesOf = new HashMap<>();
    jobGraphs
        .ofMachine()
        .forEach((machine, domains) -> templatesOf.put(machine, templates(domains)));
    List<NodeTemplate> templates = new ArrayList<>();
    int[] nodeOfRank = new int[job.nRanks()];
    int[] machineBase = new int[nodeOfRank.length]; // there are at most as many nodes as ranks
    int firstRank = 0;
    for (Machine machine : job.machines()) {
      for (NodeTemplate template : Objects.requireNonNull(templatesOf.get(machine))) {
        for (GpuNode gpu : template.gpus()) {
          nodeOfRank[firstRank + gpu.rank()] = templates.size();
        }
        machineBase[templates.size()] = firstRank;
        templates.add(template);
      }
      firstRank += machine.nRanks();
    }
    return new JobNodes(
        templates,
        Arrays.copyOf(machineBase, templates.size()),
        nodeOfRank,
        jobGraphs.domains().hasSeveralHosts());
  }

  private static List<NodeTemplate> templates(List<DomainGraphs> domains) {
    return domains.stream()
        .map(graphs -> new NodeTemplate(graphs.domain(), graphs.graphs()))
        .sorted(Comparator.comparingInt(template -> template.gpus().get(0).rank()))
        .toList();
  }

  /** True if NVLink does not join all hosts into one node. */
  boolean hasSeveralHosts() {
    return severalHosts;
  }

  int nNodes() {
    return templates.size();
  }

  int nRanks() {
    return nodeOfRank.length;
  }

  int nodeOf(int rank) {
    return nodeOfRank[rank];
  }

  NodeTemplate template(int node) {
    return templates.get(node);
  }

  /** The distinct templates, in the order in which their first nodes appear. */
  List<NodeTemplate> templates() {
    return distinctTemplates;
  }

  /**
   * The kinds of graphs with a channel that leaves its node by a port that the node does not have;
   * empty for a job of one node.
   */
  Set<GraphKind> graphsWithoutPort() {
    return templates().stream()
        .filter(template -> nNodes() > 1)
        .flatMap(
            template -> template.graphs().all().stream().filter(graph -> !template.hasPorts(graph)))
        .map(ChannelGraph::kind)
        .collect(Collectors.toSet());
  }

  int minSm() {
    return templates().stream()
        .mapToInt(template -> template.domain().topology().minSm().orElseThrow())
        .min()
        .orElseThrow();
  }

  int maxLocalRanks() {
    return templates().stream().mapToInt(NodeTemplate::size).max().orElseThrow();
  }

  int minLocalRanks() {
    return templates().stream().mapToInt(NodeTemplate::size).min().orElseThrow();
  }

  /** Bandwidth in GB/s of the slowest port that any GPU uses; 0 if a GPU reaches no port. */
  float slowestPortGBps() {
    float slowest = Float.POSITIVE_INFINITY;
    for (NodeTemplate template : templates()) {
      Paths paths = template.domain().paths();
      for (int gpu = 0; gpu < template.size(); gpu++) {
        boolean reachesPort = paths.localDevices().netsNear(gpu).length > 0;
        slowest = Math.min(slowest, reachesPort ? GpuPorts.all(paths, gpu).slowestGBps() : 0);
      }
    }
    return slowest;
  }

  /** Converts a rank on the machine of {@code node} to the rank in the job. */
  int jobRank(int node, int machineRank) {
    return machineBase[node] + machineRank;
  }

  /** Converts a rank in the job to the rank on its machine. */
  int machineRank(int rank) {
    return rank - machineBase[nodeOfRank[rank]];
  }

  /**
   * The distinct ports that a GPU uses for successive channels, beginning with its first port.
   *
   * @param count number of ports
   * @param totalGBps total bandwidth of the paths from the GPU to these ports
   * @param slowestGBps bandwidth of the slowest of these paths
   */
  record GpuPorts(int count, float totalGBps, float slowestGBps) {
    /**
     * All ports that a GPU uses ({@code ncclTopoGetMinNetBw}, {@code nccl:src/graph/topo.cc}).
     *
     * @param gpu index of the GPU among the GPUs of its node
     */
    static GpuPorts all(Paths paths, int gpu) {
      return upTo(paths, gpu, Float.POSITIVE_INFINITY);
    }

    /**
     * As many of the GPU's ports as needed to match the bandwidth from the GPU to its CPU ({@code
     * ncclTopoGetLocalNetCountByBw}, {@code nccl:src/graph/topo.cc}, from 2.29 on).
     */
    static GpuPorts matchingCpu(Paths paths, int gpu) {
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
   * The properties that equal nodes of a job share: the domain, its graphs, and the roles of the
   * GPUs in these graphs ({@code ncclTopoPreset}, {@code nccl:src/graph/connect.cc}). As in NCCL, a
   * node consists of the GPUs of a machine that reach each other without the network. All ranks are
   * ranks on the machine.
   */
  static final class NodeTemplate {
    private final Domain domain;
    private final NodeGraphs searched;
    private final NodeGraphs graphs;
    private final List<GpuNode> gpus;

    /** The index of each rank's GPU among the GPUs of the topology. */
    private final Map<Integer, Integer> gpuIndexes = new HashMap<>();

    private final Map<GraphKind, List<ChannelOrder>> orders = new EnumMap<>(GraphKind.class);
    private final List<Integer> nvlsHeads;

    NodeTemplate(Domain domain, NodeGraphs searched) {
      this.domain = domain;
      this.searched = searched;
      this.graphs = withDirect(searched, domain.profile().search().graphFormat.graphs());
      this.gpus = domain.topology().gpusByRank();
      for (int index = 0; index < gpus.size(); index++) {
        gpuIndexes.put(domain.topology().gpus().get(index).rank(), index);
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

    /** CollNetDirect uses the chains in releases that have no separate graph for it. */
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

    /** The graphs of all kinds; CollNetDirect may use the graph of the chains. */
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
      return domain.topology().gpus().get(gpuIndex(rank));
    }

    /** The index of a rank's GPU among the GPUs of the topology. */
    int gpuIndex(int rank) {
      return Objects.requireNonNull(gpuIndexes.get(rank));
    }

    int size() {
      return gpus.size();
    }

    /**
     * For each ordered pair of GPUs, true if NCCL considers them joined by NVLink ({@code
     * ncclTopoPathAllNVLink}).
     */
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

    /** True if rings stay on one rail only if pairs of them are swapped on every second node. */
    boolean hasAlternatingRings() {
      return domain.profile().connect().isAlternating(graphs.get(GraphKind.RING).crossNic());
    }

    /** Number of searched channels: the smaller of the numbers of rings and of trees. */
    int nChannels() {
      return Math.min(
          graphs.get(GraphKind.RING).nChannels(), graphs.get(GraphKind.TREE).nChannels());
    }

    /** The order of the GPUs in a searched channel. Not for NVLS, whose channels have no order. */
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

    private int treeEnd(int channel, int position) {
      ChannelOrder order = order(GraphKind.TREE, channel);
      return order.at(Math.min(position, order.size() - 1));
    }

    /** The ranks of the NVLS heads, in the order of their channels. */
    List<Integer> nvlsHeads() {
      return nvlsHeads;
    }

    /**
     * The order of the GPUs of a node in a channel: maps positions to ranks on the machine and
     * back. Immutable.
     */
    static final class ChannelOrder {
      private final int[] ranks;
      private final int[] positions;

      /** The order of a channel that visits every GPU of its node once. */
      ChannelOrder(Channel channel) {
        this.ranks = channel.ranks().stream().mapToInt(Integer::intValue).toArray();
        this.positions = new int[Arrays.stream(ranks).max().orElse(-1) + 1];
        Arrays.fill(positions, -1);
        for (int position = 0; position < ranks.length; position++) {
          positions[ranks[position]] = position;
        }
      }

      int size() {
        return ranks.length;
      }

      int at(int position) {
        return ranks[position];
      }

      int first() {
        return ranks[0];
      }

      int last() {
        return ranks[ranks.length - 1];
      }

      int positionOf(int rank) {
        return positions[rank];
      }
    }
  }
}
