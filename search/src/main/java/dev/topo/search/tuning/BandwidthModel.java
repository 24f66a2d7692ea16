package dev.topo.search.tuning;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.BySm;
import dev.topo.search.rules.TuningRules;
import dev.topo.search.rules.TuningRules.NvlsRules;

/**
 * The bandwidth by which NCCL divides the size of a call: the part of the channels' bandwidth that
 * algorithm and protocol can use (first part of {@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}). Does not depend on whether a pair is enabled. Narrowing casts mark
 * where NCCL stores single precision.
 */
final class BandwidthModel {
  private static final int MANY_GPUS = 8;

  private final CommFacts facts;
  private final TuningRules rules;
  private final int minSm;
  private final int nNodes;
  private final int nRanks;
  private final float ranksPerNode;
  private final double llMax;
  private final NvlsBandwidth nvls;

  BandwidthModel(CommFacts facts) {
    this.facts = facts;
    this.rules = facts.profile().tuning();
    this.minSm = facts.minSm();
    this.nNodes = facts.nNodes();
    this.nRanks = facts.nRanks();
    this.ranksPerNode = (float) nRanks / nNodes;
    this.llMax = rules.llMax(minSm, facts.cpu().countsAsAmd(), nNodes);
    this.nvls = new NvlsBandwidth(facts);
  }

  /** Algorithm bandwidth in GB/s: call size over time, not traffic on the links. */
  float bandwidthGBps(Collective collective, Algorithm algorithm, Protocol protocol) {
    ChannelGraph graph = facts.graph(algorithm);
    float channelBw =
        algorithm.isNvls()
            ? nvls.channelBw(collective, algorithm, graph)
            : channelBw(algorithm, graph);
    float busBw = graph.nChannels() * channelBw;
    busBw =
        switch (algorithm) {
          case RING -> ring(busBw, collective, graph, protocol);
          case TREE -> tree(busBw, graph, protocol);
          case COLLNET_DIRECT -> collNetDirect(busBw, collective, graph, protocol);
          case COLLNET_CHAIN -> protocol == Protocol.SIMPLE ? busBw : 0;
          case PAT -> (float) (busBw * rules.patShare);
          case NVLS, NVLS_TREE -> busBw;
        };
    if (nNodes > 1 && needsHeads(collective, algorithm) && !hasHeads(collective)) {
      busBw = 0;
    }
    return toAlgBw(busBw, collective, algorithm);
  }

  private float channelBw(Algorithm algorithm, ChannelGraph graph) {
    boolean takesLower =
        switch (algorithm) {
          case TREE -> minSm >= rules.treeLowerBandwidthSm;
          case PAT -> rules.patLowerBandwidth;
          default -> false;
        };
    if (takesLower) {
      return Math.min(graph.bwIntra(), graph.bwInter());
    }
    int intraNodes =
        algorithm == Algorithm.RING
            ? rules.ringIntraBandwidthNodes.at(minSm).intValue()
            : rules.intraBandwidthNodes;
    return nNodes <= intraNodes || algorithm.isCollNet() ? graph.bwIntra() : graph.bwInter();
  }

  private double atScale(BySm<double[]> rows) {
    return TuningRules.atScale(rows, minSm, nNodes);
  }

  private float ring(float busBw, Collective collective, ChannelGraph graph, Protocol protocol) {
    return switch (protocol) {
      case LL -> (float) Math.min(llMax, busBw * rules.ringLlShare(collective, nNodes));
      case LL128 ->
          (float)
              Math.min(
                  busBw * rules.ringLl128Share(ranksPerNode),
                  graph.nChannels() * atScale(rules.ringLl128Max));
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
    Pattern pattern = rules.treePatternOfJob ? facts.maxTreePattern() : graph.pattern();
    return pattern == Pattern.TREE ? (float) (busBw * rules.plainTreeShare) : busBw;
  }

  private float collNetDirect(
      float busBw, Collective collective, ChannelGraph graph, Protocol protocol) {
    if (protocol != Protocol.SIMPLE) {
      return 0;
    }
    if (collective != Collective.ALL_REDUCE) {
      return gatherInNetwork(graph);
    }
    // Full speed requires a NIC for every GPU; half of the missing share is lost.
    float gpusPerNic = (float) (ranksPerNode / (1.0 * graph.nChannels()));
    gpusPerNic -= (gpusPerNic - 1) / 2;
    float shared = busBw / gpusPerNic;
    return (float) (shared * rules.collNetDirectShare.at(minSm));
  }

  private float gatherInNetwork(ChannelGraph graph) {
    if (rules.collNetGatherShares.isEmpty()) {
      return ranksPerNode * Math.min(graph.bwIntra(), graph.bwInter() * rules.collNetNetShare);
    }
    // Interpolates between the two shares by the number of GPUs.
    double[] shares = rules.collNetGatherShares.get();
    float many = (ranksPerNode - 1) / (MANY_GPUS - 1);
    return (float) (ranksPerNode * graph.bwIntra() * (many * shares[1] + (1 - many) * shares[0]));
  }

  private boolean needsHeads(Collective collective, Algorithm algorithm) {
    if (collective == Collective.ALL_REDUCE) {
      return algorithm.isCollNet() && rules.algorithms.allReduceNeedsHeads;
    }
    return algorithm == Algorithm.COLLNET_DIRECT
        || (algorithm == Algorithm.NVLS && rules.headsForFullestNode);
  }

  /** True if the network supports the collective and every GPU has a head. */
  private boolean hasHeads(Collective collective) {
    float gpus = rules.headsForFullestNode ? facts.maxLocalRanks() : ranksPerNode;
    return facts
        .collNet()
        .filter(
            net ->
                switch (collective) {
                  case ALL_GATHER -> net.allGather();
                  case REDUCE_SCATTER -> net.reduceScatter();
                  default -> true;
                })
        .filter(net -> gpus <= net.heads())
        .isPresent();
  }

  /** Converts bus bandwidth to algorithm bandwidth. */
  private float toAlgBw(float busBw, Collective collective, Algorithm algorithm) {
    boolean byRanks =
        algorithm == Algorithm.RING
            || (algorithm.isNvls() && collective == Collective.ALL_REDUCE && nvls.isMeasured());
    if (byRanks) {
      int steps = LatencyModel.ringSteps(collective, nRanks);
      return rules.dividesBySteps
          ? busBw * nRanks / steps
          : busBw * (float) ((1.0 * nRanks) / steps);
    }
    if (algorithm.isNvls()) {
      return busBw * nvls.share(collective);
    }
    return collective == Collective.ALL_REDUCE ? busBw * 0.5f : busBw;
  }

  /**
   * The bandwidth of an NVLS or NVLSTree channel, and its factor to algorithm bandwidth ({@code
   * ncclTopoTuneModel}). Narrowing casts mark where NCCL stores single precision.
   */
  static final class NvlsBandwidth {
    private final CommFacts facts;
    private final NvlsRules rules;
    private final float ranksPerNode;
    private final boolean fewNodes;

    NvlsBandwidth(CommFacts facts) {
      TuningRules tuning = facts.profile().tuning();
      this.facts = facts;
      this.rules = tuning.nvls;
      this.ranksPerNode =
          rules instanceof NvlsRules.Measured measured && measured.countsFewestRanks()
              ? facts.minLocalRanks()
              : (float) facts.nRanks() / facts.nNodes();
      this.fewNodes = facts.nNodes() <= tuning.intraBandwidthNodes;
    }

    float channelBw(Collective collective, Algorithm algorithm, ChannelGraph graph) {
      return rules instanceof NvlsRules.Measured measured
          ? measured(measured, collective, algorithm, graph)
          : ofLinks((NvlsRules.OfLinks) rules, collective, algorithm, graph);
    }

    private float measured(
        NvlsRules.Measured measured,
        Collective collective,
        Algorithm algorithm,
        ChannelGraph graph) {
      float intra =
          graph.bwIntra()
              * measured.efficiency().at(facts.minSm()).floatValue()
              * (graph.nChannels() - 1)
              / graph.nChannels();
      // AllReduce reduces one part while it broadcasts another.
      intra *= collective == Collective.ALL_REDUCE ? 2.0f : (ranksPerNode - 1) / ranksPerNode;
      if (algorithm == Algorithm.NVLS) {
        return Math.min(intra, graph.bwInter());
      }
      float inter = graph.bwInter() * (fewNodes ? 2 : 1);
      float limit = (float) TuningRules.atScale(measured.treeMax(), facts.minSm(), facts.nNodes());
      return Math.min(Math.min(intra, inter), limit);
    }

    private float ofLinks(
        NvlsRules.OfLinks links, Collective collective, Algorithm algorithm, ChannelGraph graph) {
      if (algorithm == Algorithm.NVLS_TREE) {
        return Math.min(graph.bwIntra(), fewNodes ? graph.bwInter() : graph.bwInter() / 2);
      }
      if (collective == Collective.ALL_REDUCE) {
        return Math.min(graph.bwIntra(), graph.bwInter());
      }
      float intra =
          links.gathersFromOthers()
              ? graph.bwIntra() * (ranksPerNode - 1) / ranksPerNode
              : graph.bwIntra();
      return Math.min(intra, graph.bwInter() * links.gatherNetShare());
    }

    /** True if the bandwidth is based on measurements of multicast, not on the links. */
    boolean isMeasured() {
      return rules instanceof NvlsRules.Measured;
    }

    /** Factor from bus to algorithm bandwidth where ranks and steps do not determine it. */
    float share(Collective collective) {
      if (rules instanceof NvlsRules.OfLinks links) {
        boolean allReduce = collective == Collective.ALL_REDUCE;
        return (float) (allReduce ? links.allReduceShare() : links.gatherShare());
      }
      return 1;
    }
  }
}
