package dev.topo.simulator.verdict;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.search.bound.LinkRates;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Paths;
import dev.topo.search.tuning.Communicator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The capacity of the links of a job: the raw rates of NVLinks, PCI lanes and ports in one
 * direction, not the bandwidths that NCCL plans with. The interconnect between CPUs is not a limit
 * here, as the topology does not contain its rate.
 *
 * <p>Each GPU and each node must send or receive a fraction of the data that depends on the
 * operation; a switch that reduces halves it for AllReduce.
 */
public final class LinkLimits {
  private record Unit(int gpus, double gbps) {}

  private final LinkKind kind;
  private final int nRanks;
  private final List<Unit> gpus = new ArrayList<>();
  private final List<Unit> nodes = new ArrayList<>();
  private final boolean switchesReduce;
  private final boolean networkReduces;

  /**
   * Total bandwidth in GB/s that NCCL plans for the rings between nodes, which may not reach all
   * ports; infinite on one node.
   */
  private final double plannedGBps;

  /**
   * Determines the limits of a communicator's job.
   *
   * @param actual the paths of the actual machine; empty if it is the declared one
   */
  public LinkLimits(Communicator communicator, Optional<Paths> actual) {
    Connection connection = communicator.connection();
    int nNodes = connection.nNodes();
    this.nRanks = connection.nRanks();
    boolean isOneNode = nNodes == 1;
    Topology first = actual.orElse(connection.domain(0).paths()).topology();
    this.switchesReduce = first.hasNvSwitch() && LinkRates.switchesReduce(first.minSm().orElse(0));
    boolean allNodesReduce = !isOneNode;
    boolean isTcp = communicator.job().settings().usesSockets();
    boolean isAllNvlink = true;
    for (int node = 0; node < nNodes; node++) {
      Paths paths =
          isOneNode ? actual.orElse(connection.domain(0).paths()) : connection.domain(node).paths();
      Topology topology = paths.topology();
      isAllNvlink &= isAllNvlink(paths);
      double total = 0;
      for (int gpu : topology.indexes(NodeType.GPU)) {
        double gbps = gpuGBps(paths, gpu, isOneNode && isAllNvlink(paths));
        gpus.add(new Unit(1, gbps));
        total += gbps;
      }
      double ports = topology.nets().stream().mapToDouble(NetNode::bwGBps).sum();
      nodes.add(new Unit(topology.gpus().size(), Math.min(total, ports)));
      allNodesReduce &= topology.nets().stream().anyMatch(NetNode::collNet);
      isTcp |= topology.nets().stream().allMatch(NetNode::isInterface);
    }
    this.networkReduces = allNodesReduce;
    ChannelGraph rings = communicator.facts().graph(Algorithm.RING);
    this.plannedGBps =
        isOneNode ? Double.POSITIVE_INFINITY : (double) rings.nChannels() * rings.bwInter();
    if (isOneNode) {
      nodes.clear();
      this.kind =
          isAllNvlink ? (first.hasNvSwitch() ? LinkKind.NVSWITCH : LinkKind.NVLINK) : LinkKind.PCI;
    } else {
      this.kind = isTcp ? LinkKind.TCP : LinkKind.RDMA;
    }
  }

  private static boolean isAllNvlink(Paths paths) {
    int[] gpus = paths.topology().indexes(NodeType.GPU);
    for (int a : gpus) {
      for (int b : gpus) {
        if (a != b && !paths.type(a, b).isWithin(PathType.NVB)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Bandwidth in GB/s of a GPU over all its links, or over NVLink alone. */
  private static double gpuGBps(Paths paths, int gpu, boolean nvlinkOnly) {
    return paths.topology().links(gpu).stream()
        .filter(link -> link.type() != LinkType.LOC)
        .filter(link -> !nvlinkOnly || link.type() == LinkType.NVL)
        .mapToDouble(link -> LinkRates.gbps(paths.topology(), link, paths.profile()))
        .sum();
  }

  /** The kind of link that limits large calls. */
  public LinkKind kind() {
    return kind;
  }

  /** Number of nodes. */
  public int nNodes() {
    return Math.max(1, nodes.size());
  }

  /**
   * The busbw in GB/s that the links cannot exceed; empty if the topology states no such limit:
   * between nodes without ports, and with TCP, as the speed of an interface is often NCCL's
   * default.
   *
   * @param algorithm the forced algorithm; empty for NCCL's choice
   */
  public Optional<Double> mostGBps(Collective collective, Optional<Algorithm> algorithm) {
    if (kind == LinkKind.TCP) {
      return Optional.empty();
    }
    boolean canReduce =
        algorithm.map(forced -> forced != Algorithm.RING && forced != Algorithm.TREE).orElse(true);
    double most =
        Math.min(
            most(collective, gpus, canReduce && (switchesReduce || networkReduces)),
            nodes.isEmpty()
                ? Double.POSITIVE_INFINITY
                : most(collective, nodes, canReduce && networkReduces));
    return most > 0 && Double.isFinite(most) ? Optional.of(most) : Optional.empty();
  }

  private double most(Collective collective, List<Unit> parts, boolean reduced) {
    double least = parts.stream().mapToDouble(Unit::gbps).min().orElseThrow();
    double factor = 2.0 * (nRanks - 1) / nRanks;
    return switch (collective) {
      case BROADCAST, REDUCE -> least;
      case ALL_GATHER, REDUCE_SCATTER ->
          parts.stream()
              .mapToDouble(part -> part.gbps * (nRanks - 1) / (nRanks - part.gpus))
              .min()
              .orElseThrow();
      case ALL_REDUCE -> {
        double sum = parts.stream().mapToDouble(Unit::gbps).sum();
        double average = sum / (2 * (parts.size() - 1));
        yield factor * (reduced ? least : Math.min(least, average));
      }
    };
  }

  /**
   * The largest bandwidth in GB/s of rings over all GPUs: that of the weakest GPU or node and,
   * between nodes, at most what NCCL plans with.
   */
  public double ringGBps() {
    double leastOfGpus = gpus.stream().mapToDouble(Unit::gbps).min().orElseThrow();
    double leastOfNodes = nodes.stream().mapToDouble(Unit::gbps).min().orElse(plannedGBps);
    return Math.min(leastOfGpus, Math.min(leastOfNodes, plannedGBps));
  }
}
