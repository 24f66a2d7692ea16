package dev.topo.search.connect;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.path.LocalDevices;
import dev.topo.search.path.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The nodes of a job in NCCL's order and the ranks on them. NCCL numbers nodes in the order of
 * their first ranks ({@code initTransportsRank}, {@code nccl:src/init.cc}): by machine, and on a
 * machine by the lowest rank. Equal nodes are one {@link NodeTemplate}; each node adds two numbers,
 * each rank one. Immutable.
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

  /** True if there are hosts that NVLink does not join to one node. */
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
   * @param totalGBps bandwidth of the paths to them together
   * @param slowestGBps bandwidth of the slowest of these paths; 0 without ports
   */
  record GpuPorts(int count, float totalGBps, float slowestGBps) {
    /**
     * All ports that a GPU takes turns with ({@code ncclTopoGetMinNetBw}, {@code
     * nccl:src/graph/topo.cc}).
     *
     * @param gpu place of the GPU among the GPUs
     */
    static GpuPorts all(Paths paths, int gpu) {
      return upTo(paths, gpu, Float.POSITIVE_INFINITY);
    }

    /**
     * As many ports as it takes to carry what the GPU can send to its CPU ({@code
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
}
