package dev.topo.search.tuning;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.TuningRules;
import dev.topo.search.rules.TuningRules.Hardware;

/**
 * The latency of a call, which does not depend on its size: a base latency, and the latency of the
 * steps that a byte needs to reach all ranks (second part of {@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}). Narrowing casts mark where NCCL stores single precision.
 */
final class LatencyModel {
  private static final int UNSET = -2;
  private static final double NANOSECOND_US = 0.001;

  private final CommFacts facts;
  private final TuningRules rules;
  private final int nNodes;
  private final int nRanks;
  private final float netOverheadUs;

  LatencyModel(CommFacts facts, NcclSettings settings) {
    this.facts = facts;
    this.rules = facts.profile().tuning();
    this.nNodes = facts.nNodes();
    this.nRanks = facts.nRanks();
    this.netOverheadUs = nNodes > 1 ? netOverhead(facts, settings) : 0;
  }

  private static float netOverhead(CommFacts facts, NcclSettings settings) {
    int nanoseconds = settings.integer("NCCL_NET_OVERHEAD", UNSET);
    if (nanoseconds != UNSET) {
      return (float) (nanoseconds * NANOSECOND_US);
    }
    TuningRules rules = facts.profile().tuning();
    return facts.cpu().isX86By(CpuVendor.AMD) ? rules.netOverheadAmdUs : rules.netOverheadUs;
  }

  /** Latency in microseconds. */
  float latencyUs(Collective collective, Algorithm algorithm, Protocol protocol) {
    float base = (float) rules.baseLatencyUs(algorithm, protocol);
    float intra = stepOnNode(algorithm, protocol);
    float inter = stepBetweenNodes(algorithm, protocol);
    int othersOnNode = nRanks / nNodes - 1;
    return switch (algorithm) {
      case RING ->
          collective == Collective.BROADCAST || collective == Collective.REDUCE
              ? base + pipeline(protocol)
              : base + ring(collective, protocol, intra, inter);
      case TREE -> base + 2 * (othersOnNode * intra + log2Nodes() * inter);
      case COLLNET_DIRECT ->
          (float)
              (base
                  + (2
                          * (Math.min(1, othersOnNode) * intra
                              + othersOnNode * rules.collNetDirectGpuUs)
                      + inter));
      case COLLNET_CHAIN -> base + (2 * othersOnNode * intra + inter);
      case NVLS -> nNodes > 1 ? intra + inter : intra;
      case NVLS_TREE -> base + (intra + 2 * log2Nodes() * inter);
      case PAT ->
          (float) (base + (log2Nodes() * (inter / rules.patNetDivisor) + nRanks * rules.patRankUs));
    };
  }

  private int log2Nodes() {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(nNodes);
  }

  private Hardware hardwareOnNode(Algorithm algorithm) {
    return facts.graph(algorithm).typeIntra() == PathType.NVL ? Hardware.NVLINK : Hardware.PCI;
  }

  private float stepOnNode(Algorithm algorithm, Protocol protocol) {
    return step(hardwareOnNode(algorithm), algorithm, protocol);
  }

  private float step(Hardware hardware, Algorithm algorithm, Protocol protocol) {
    boolean asRing =
        rules.powerTreesAsRings
            && facts.cpu().is(CpuArch.POWER)
            && hardware == Hardware.PCI
            && algorithm == Algorithm.TREE
            && protocol == Protocol.SIMPLE;
    return (float) rules.stepLatencyUs(hardware, asRing ? Algorithm.RING : algorithm, protocol);
  }

  private float stepBetweenNodes(Algorithm algorithm, Protocol protocol) {
    // With one GPU on each node, nothing hides the latency of the network.
    boolean asTree =
        nRanks == nNodes
            && switch (rules.oneGpuNodesAsTree) {
              case NONE -> false;
              case RING -> algorithm == Algorithm.RING;
              case ALL -> true;
            };
    Algorithm like = asTree ? Algorithm.TREE : algorithm;
    float latency = step(Hardware.NET, like, protocol);
    float nicLatency = facts.graph(algorithm).latencyInter();
    latency += nicLatency;
    // Simple flushes what the NIC has written, which is another round trip.
    return protocol == Protocol.SIMPLE ? latency + nicLatency : latency;
  }

  /** Latency in microseconds of the steps of Broadcast and Reduce. */
  private float pipeline(Protocol protocol) {
    ChannelGraph graph = facts.graph(Algorithm.RING);
    Hardware hardware = nNodes == 1 ? hardwareOnNode(Algorithm.RING) : Hardware.NET;
    if (graph.sameChannels()) {
      return step(hardware, Algorithm.RING, protocol);
    }
    Algorithm like = protocol == Protocol.SIMPLE ? Algorithm.TREE : Algorithm.RING;
    return nRanks * step(hardware, like, protocol);
  }

  private float ring(Collective collective, Protocol protocol, float intra, float inter) {
    float posts =
        protocol == Protocol.SIMPLE ? netOverheadUs * rules.simpleNetPosts : netOverheadUs;
    float onNode = Math.max(intra, posts);
    int steps = ringSteps(collective, nRanks);
    int between = ringSteps(collective, nNodes);
    between +=
        between > 0 && collective == Collective.ALL_REDUCE ? rules.allReduceExtraNetSteps : 0;
    return (steps - between) * onNode + between * inter;
  }

  /** Steps around a ring of ranks; given the number of nodes, the steps between nodes. */
  static int ringSteps(Collective collective, int members) {
    return switch (collective) {
      case ALL_REDUCE -> 2 * (members - 1);
      case ALL_GATHER, REDUCE_SCATTER -> members - 1;
      case BROADCAST, REDUCE -> members;
    };
  }
}
