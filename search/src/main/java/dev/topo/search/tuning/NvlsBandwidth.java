package dev.topo.search.tuning;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.search.rules.NvlsRules;
import dev.topo.search.rules.TuningRules;

/**
 * The bandwidth of a channel of NVLS or NVLSTree, and how much of it the size of a call makes up
 * ({@code ncclTopoTuneModel}). Narrowing casts are where NCCL stores in single precision.
 */
final class NvlsBandwidth {
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
      NvlsRules.Measured measured, Collective collective, Algorithm algorithm, ChannelGraph graph) {
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

  /** True if the bandwidth is from what multicast was measured to reach, not from the links. */
  boolean isMeasured() {
    return rules instanceof NvlsRules.Measured;
  }

  /** The part of its bandwidth that NVLS reaches, where ranks and steps do not say it. */
  float share(Collective collective) {
    if (rules instanceof NvlsRules.OfLinks links) {
      boolean allReduce = collective == Collective.ALL_REDUCE;
      return (float) (allReduce ? links.allReduceShare() : links.gatherShare());
    }
    return 1;
  }
}
