package dev.topo.search.tuning;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.operation.Algorithm;
import dev.topo.search.rules.NcclProfile;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The properties of a communicator that the tuning model uses: the same on all of its ranks ({@code
 * struct ncclComm} after {@code ncclTopoPostset}). A node is defined as in NCCL: GPUs that reach
 * each other without the network.
 *
 * @param profile the rules of the NCCL version
 * @param localRanks number of ranks on each node, in the order of the nodes
 * @param minSm compute capability of the oldest GPU
 * @param maxSm compute capability of the newest GPU
 * @param cpu common properties of the nodes' CPUs
 * @param nChannels channels for collectives, after NCCL has repeated and limited them
 * @param callChannels how many of these channels a call may use
 * @param nvls whether NVLink multicast is used
 * @param nvlsChannels channels for NVLink multicast
 * @param nvlsHeads heads of NVLS on each node
 * @param slowestPortGBps bandwidth of the slowest port that a GPU uses; 0 on one node
 * @param collNet in-network reduction, if it is set up
 * @param allNvlink whether NVLink or C2C connects all GPUs of each node
 * @param nvSwitch whether there are NVSwitches
 * @param maxTreePattern the tree pattern with the highest number among the nodes
 * @param graphs the graphs that all nodes support: the fewest channels, the least bandwidth and the
 *     farthest paths of the nodes
 * @param withoutPort graphs with a channel through a port that a node lacks
 */
public record CommFacts(
    NcclProfile profile,
    List<Integer> localRanks,
    int minSm,
    int maxSm,
    Cpu cpu,
    int nChannels,
    int callChannels,
    boolean nvls,
    int nvlsChannels,
    int nvlsHeads,
    float slowestPortGBps,
    Optional<CollNet> collNet,
    boolean allNvlink,
    boolean nvSwitch,
    Pattern maxTreePattern,
    NodeGraphs graphs,
    Set<GraphKind> withoutPort) {
  /** Rejects a job without ranks and nodes without ranks: minima and maxima need one each. */
  public CommFacts {
    localRanks = List.copyOf(localRanks);
    withoutPort = Set.copyOf(withoutPort);
    if (localRanks.isEmpty() || Collections.min(localRanks) < 1) {
      throw new IllegalArgumentException(
          "ranks by node are " + localRanks + ": expected at least one on every node");
    }
  }

  /**
   * The CPUs of a communicator. NCCL has a separate value for mixed CPUs; here the field is empty.
   *
   * @param arch the architecture, if it is the same on all nodes
   * @param vendor the vendor, if it is the same on all nodes
   */
  public record Cpu(Optional<CpuArch> arch, Optional<CpuVendor> vendor) {

    /** The CPU that all nodes have in common, given the first CPU of each node. */
    static Cpu of(List<CpuNode> firstCpus) {
      List<CpuArch> archs = firstCpus.stream().map(CpuNode::arch).distinct().toList();
      List<CpuVendor> vendors = firstCpus.stream().map(CpuNode::vendor).distinct().toList();
      return new Cpu(
          archs.size() == 1 ? Optional.of(archs.get(0)) : Optional.empty(),
          vendors.size() == 1 ? Optional.of(vendors.get(0)) : Optional.empty());
    }

    boolean is(CpuArch wanted) {
      return arch.equals(Optional.of(wanted));
    }

    boolean isX86By(CpuVendor wanted) {
      return is(CpuArch.X86) && vendor.equals(Optional.of(wanted));
    }

    /** True if NCCL applies AMD's limits for LL between nodes: also for mixed vendors. */
    boolean countsAsAmd() {
      return vendor.isEmpty() || vendor.get() == CpuVendor.AMD;
    }
  }

  /**
   * In-network reduction, assumed to support every operator and type.
   *
   * @param heads GPUs of a node that send to the network ({@code collNetHeadsNum})
   * @param directHeads heads of the first channel of CollNetDirect
   * @param chainsFromHeads whether chains lead to the network from heads only
   * @param allGather whether the network plugin supports AllGather
   * @param reduceScatter whether the network plugin supports ReduceScatter
   */
  public record CollNet(
      int heads,
      int directHeads,
      boolean chainsFromHeads,
      boolean allGather,
      boolean reduceScatter) {}

  public int nNodes() {
    return localRanks.size();
  }

  public int nRanks() {
    return localRanks.stream().mapToInt(Integer::intValue).sum();
  }

  /** True if PAT, where it runs, runs over NVLS: with several GPUs on a node, from 2.31 on. */
  boolean hasPatOverNvls() {
    return profile.tuning().algorithms.patOverNvls && nRanks() > nNodes();
  }

  int minLocalRanks() {
    return Collections.min(localRanks);
  }

  public int maxLocalRanks() {
    return Collections.max(localRanks);
  }

  /** The channels that an algorithm runs on. */
  public ChannelGraph graph(Algorithm algorithm) {
    return graphs.get(algorithm.graph());
  }
}
