package dev.topo.search.tuning;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.AlgorithmRules;
import dev.topo.search.tuning.TuningModel.CostModel;
import java.util.Optional;

/**
 * Finds the rule that prevents NCCL from using an algorithm and protocol for a call, as text. The
 * rules themselves are in {@link EnablingRules} and {@link CostModel}; a test compares the two.
 */
public final class PairReasons {
  private final CommFacts facts;
  private final NcclSettings settings;
  private final EnablingRules rules;
  private final AlgorithmRules limits;
  private final CostModel costs;
  private final String noNvls;
  private final String noCollNet;

  /**
   * The reasons for a communicator.
   *
   * @param noNvls why it has no NVLS channels, if it has none
   * @param noCollNet the same for in-network reduction
   */
  public PairReasons(CommFacts facts, NcclSettings settings, String noNvls, String noCollNet) {
    this.facts = facts;
    this.settings = settings;
    this.noNvls = noNvls;
    this.noCollNet = noCollNet;
    this.rules = new EnablingRules(facts, settings);
    this.limits = facts.profile().tuning().algorithms;
    this.costs = new CostModel(facts, new TuningModel(facts, settings));
  }

  /** Why NCCL does not consider a pair for a call; empty if it does. */
  public Optional<String> whyNot(CollectiveCall call, Algorithm algorithm, Protocol protocol) {
    float time = costs.timeUs(call, algorithm, protocol);
    if (time < 0) {
      return Optional.of(reason(call, algorithm, protocol));
    }
    return costs.isWeighed(call, time)
        ? Optional.empty()
        : Optional.of(
            "with several GPUs on a node NCCL runs it only where nothing else is left (NCCL_ALGO=PAT)");
  }

  /** True if NCCL runs a pair only because no enabled pair can run the call. */
  public boolean isFallback(CollectiveCall call, Algorithm algorithm, Protocol protocol) {
    return facts.nRanks() > 1 && !rules.isEnabled(call.collective(), algorithm, protocol);
  }

  private String reason(CollectiveCall call, Algorithm algorithm, Protocol protocol) {
    Collective collective = call.collective();
    if (facts.nRanks() == 1) {
      return "a communicator of one rank only copies";
    }
    if (!rules.hasKernel(collective, algorithm, protocol)) {
      return noKernel(collective, algorithm);
    }
    if (algorithm.isNvls() && facts.graph(algorithm).nChannels() == 0) {
      return noNvls;
    }
    if (algorithm.isNvls() && facts.graph(algorithm).nChannels() < limits.minNvlsChannels) {
      return "there is a single NVLS channel, NCCL requires two";
    }
    if (!rules.allowsAlgorithm(collective, algorithm)) {
      boolean byKernels =
          settings.text("NCCL_ALGO").isEmpty() && settings.text("NCCL_SYM_KERNEL").isPresent();
      return stated(byKernels ? "NCCL_SYM_KERNEL" : "NCCL_ALGO") + " excludes it";
    }
    if (!rules.isPossible(algorithm)) {
      return notPossible(algorithm);
    }
    if (!rules.isProtocolEnabled(collective, algorithm, protocol)) {
      return protocol == Protocol.LL128 && !rules.statesProtocols(collective)
          ? noLl128(facts.graph(algorithm))
          : stated("NCCL_PROTO") + " excludes it";
    }
    return algorithm == Algorithm.COLLNET_DIRECT || algorithm == Algorithm.NVLS
        ? noPluginSupport(collective).orElseGet(() -> cannotRun(call, algorithm))
        : cannotRun(call, algorithm);
  }

  /** The reason if the CollNet plugin does not support a collective between nodes. */
  private Optional<String> noPluginSupport(Collective collective) {
    boolean isMissing =
        facts.nNodes() > 1
            && facts
                .collNet()
                .filter(
                    net ->
                        collective == Collective.ALL_GATHER && !net.allGather()
                            || collective == Collective.REDUCE_SCATTER && !net.reduceScatter())
                .isPresent();
    return isMissing
        ? Optional.of(
            "the CollNet plugin has no %s (%s)"
                .formatted(collective.label(), stated("TOPO_COLLNET_PLUGIN")))
        : Optional.empty();
  }

  private String stated(String name) {
    return name + "=" + settings.text(name).orElse("");
  }

  private String noKernel(Collective collective, Algorithm algorithm) {
    if (algorithm == Algorithm.PAT) {
      return noPat(collective);
    }
    boolean chainOnly = collective == Collective.BROADCAST || collective == Collective.REDUCE;
    if (chainOnly && algorithm != Algorithm.RING) {
      return "NCCL runs " + collective.label() + " on rings only";
    }
    if (algorithm.isNvls() && collective == Collective.ALL_REDUCE) {
      return "NCCL has " + algorithm.label() + " with Simple only";
    }
    return "NCCL has no %s for %s with this protocol"
        .formatted(algorithm.label(), collective.label());
  }

  private String noPat(Collective collective) {
    if (!limits.hasAlgorithm(Algorithm.PAT)) {
      return "NCCL " + facts.profile() + " has no PAT";
    }
    if (!limits.hasAlgorithm(collective, Algorithm.PAT)) {
      return "NCCL has PAT for AllGather and ReduceScatter only";
    }
    if (facts.hasPatOverNvls()) {
      return "with several GPUs on a node PAT needs NVLS with a head for each of them, and more than one node";
    }
    return "PAT is used for one GPU per node"
        + (limits.patSm == 0 ? "" : " on sm " + limits.patSm + " or newer")
        + " (NCCL_PAT_ENABLE=1 forces it) and with Simple only";
  }

  private String notPossible(Algorithm algorithm) {
    return switch (algorithm) {
      case COLLNET_DIRECT, COLLNET_CHAIN ->
          facts.collNet().isPresent()
              ? algorithm == Algorithm.COLLNET_DIRECT
                  ? "it needs an NVSwitch"
                  : "its chains lead to the network from GPUs that are no heads"
              : "no CollNet: " + noCollNet;
      case NVLS -> "over several nodes it needs in-network reduction; NVLSTree does not";
      case NVLS_TREE -> "it is for several nodes; on one node NVLS does the same";
      case TREE, RING, PAT -> "it is not possible here";
    };
  }

  private String noLl128(ChannelGraph graph) {
    if (!rules.isLl128Mixture()) {
      return "LL128 is only safe between GPUs of one kind, these are sm %s to %s"
          .formatted(facts.minSm(), facts.maxSm());
    }
    if (!rules.isLl128Generation()) {
      return "LL128 is only safe on " + limits.ll128Sm;
    }
    return "LL128 is only safe where 128 bytes arrive in one piece: up to %s between GPUs and %s to the network; this graph goes up to %s and %s (NCCL_PROTO would force it)"
        .formatted(limits.ll128Intra, rules.farthestLl128(), graph.typeIntra(), graph.typeInter());
  }

  private String cannotRun(CollectiveCall call, Algorithm algorithm) {
    if (algorithm == Algorithm.NVLS && facts.nNodes() > 1 && !limits.nvlsGathersBetweenNodes) {
      return "NCCL "
          + facts.profile()
          + " runs "
          + call.collective().label()
          + " by NVLS on one node only";
    }
    if (algorithm.isCollNet() && limits.allReduceNeedsHeads) {
      return "a node has more GPUs than heads of in-network reduction";
    }
    return algorithm.isNvls()
        ? "the switch cannot reduce %s with %s, or the nodes have too many GPUs"
            .formatted(call.dataType().label(), call.operator().label())
        : "it cannot run this call here";
  }
}
