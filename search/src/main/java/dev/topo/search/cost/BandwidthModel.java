package dev.topo.search.cost;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.Pattern;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.BySm;
import dev.topo.search.rules.TuningRules;

/**
 * The bandwidth by which NCCL divides the size of a call: that of the channels, as far as algorithm
 * and protocol can use it (first part of {@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}). Does not depend on whether a pair is enabled. Narrowing casts are
 * where NCCL stores in single precision.
 */
final class BandwidthModel {
  private final CommFacts facts;
  private final TuningRules rules;
  private final int minSm;
  private final int nNodes;
  private final int nRanks;
  private final float ranksPerNode;

  private final double llMax;

  BandwidthModel(CommFacts facts) {
    this.facts = facts;
    this.rules = facts.profile().tuning();
    this.minSm = facts.minSm();
    this.nNodes = facts.nNodes();
    this.nRanks = facts.nRanks();
    this.ranksPerNode = (float) nRanks / nNodes;
    this.llMax = rules.llMax(minSm, facts.cpu().countsAsAmd(), nNodes);
  }

  /** Bandwidth in GB/s of the size of a call, not of what goes over the links. */
  float bandwidthGBps(Collective collective, Algorithm algorithm, Protocol protocol) {
    ChannelGraph graph = facts.graph(algorithm);
    float channelBw =
        algorithm.isNvls()
            ? nvlsChannelBw(collective, algorithm, graph)
            : channelBw(algorithm, graph);
    float busBw = graph.nChannels() * channelBw;
    busBw =
        switch (algorithm) {
          case RING -> ring(busBw, graph, protocol);
          case TREE -> tree(busBw, graph, protocol);
          case COLLNET_DIRECT -> collNetDirect(busBw, collective, graph, protocol);
          case COLLNET_CHAIN -> protocol == Protocol.SIMPLE ? busBw : 0;
          case PAT -> (float) (busBw * rules.patShare);
          case NVLS, NVLS_TREE -> busBw;
        };
    if ((algorithm == Algorithm.NVLS || algorithm == Algorithm.COLLNET_DIRECT)
        && !canGatherInNetwork(collective)) {
      busBw = 0;
    }
    return busBw * ratio(collective, algorithm);
  }

  private float channelBw(Algorithm algorithm, ChannelGraph graph) {
    return nNodes <= rules.intraBandwidthNodes || algorithm.isCollNet()
        ? graph.bwIntra()
        : graph.bwInter();
  }

  private float nvlsChannelBw(Collective collective, Algorithm algorithm, ChannelGraph graph) {
    float intra =
        graph.bwIntra()
            * rules.nvlsEfficiency.at(minSm).floatValue()
            * (graph.nChannels() - 1)
            / graph.nChannels();
    // AllReduce reduces one part while it broadcasts another.
    intra *= collective == Collective.ALL_REDUCE ? 2.0f : (ranksPerNode - 1) / ranksPerNode;
    if (algorithm == Algorithm.NVLS) {
      return Math.min(intra, graph.bwInter());
    }
    float inter = graph.bwInter() * (nNodes <= rules.intraBandwidthNodes ? 2 : 1);
    float limit = (float) atScale(rules.nvlsTreeMax);
    return Math.min(Math.min(intra, inter), limit);
  }

  private double atScale(BySm<double[]> rows) {
    return TuningRules.atScale(rows, minSm, nNodes);
  }

  private float ring(float busBw, ChannelGraph graph, Protocol protocol) {
    return switch (protocol) {
      case LL -> (float) Math.min(llMax, busBw * rules.ringLlShare);
      case LL128 ->
          (float)
              Math.min(
                  busBw * rules.ringLl128Share, graph.nChannels() * atScale(rules.ringLl128Max));
      case SIMPLE -> busBw;
    };
  }

  private float tree(float channelsBw, ChannelGraph graph, Protocol protocol) {
    float busBw =
        (float) Math.min(channelsBw * rules.treeShare, graph.nChannels() * atScale(rules.treeMax));
    busBw =
        switch (protocol) {
          case LL -> (float) Math.min(busBw / rules.treeLlDivisor, llMax);
          case LL128 ->
              (float)
                  Math.min(
                      busBw * (nNodes == 1 ? rules.treeLl128ShareOneNode : rules.treeLl128Share),
                      graph.nChannels() * atScale(rules.treeLl128Max));
          case SIMPLE -> busBw;
        };
    return facts.maxTreePattern() == Pattern.TREE ? (float) (busBw * rules.plainTreeShare) : busBw;
  }

  private float collNetDirect(
      float busBw, Collective collective, ChannelGraph graph, Protocol protocol) {
    if (protocol != Protocol.SIMPLE) {
      return 0;
    }
    if (collective != Collective.ALL_REDUCE) {
      return ranksPerNode * Math.min(graph.bwIntra(), graph.bwInter() * rules.collNetNetShare);
    }
    // Full speed takes a NIC for every GPU; half of what is missing is lost.
    float gpusPerNic = (float) (ranksPerNode / (1.0 * graph.nChannels()));
    gpusPerNic -= (gpusPerNic - 1) / 2;
    float shared = busBw / gpusPerNic;
    return (float) (shared * rules.collNetDirectShare.at(minSm));
  }

  /**
   * AllGather and ReduceScatter over several nodes need a network that does them and a head for
   * every GPU.
   */
  private boolean canGatherInNetwork(Collective collective) {
    if (nNodes == 1 || collective == Collective.ALL_REDUCE) {
      return true;
    }
    return facts
        .collNet()
        .filter(net -> collective == Collective.ALL_GATHER ? net.allGather() : net.reduceScatter())
        .filter(net -> facts.maxLocalRanks() <= net.heads())
        .isPresent();
  }

  /** From what goes over the links of a rank to the size of the call. */
  private float ratio(Collective collective, Algorithm algorithm) {
    if (algorithm == Algorithm.RING) {
      return (float) ((1.0 * nRanks) / LatencyModel.ringSteps(collective, nRanks));
    }
    if (collective != Collective.ALL_REDUCE) {
      return 1;
    }
    return algorithm.isNvls()
        ? (float) ((1.0 * nRanks) / LatencyModel.ringSteps(collective, nRanks))
        : 0.5f;
  }
}
