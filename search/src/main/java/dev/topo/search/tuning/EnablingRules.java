package dev.topo.search.tuning;

import dev.topo.model.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.AlgorithmRules;
import dev.topo.search.rules.AlgorithmRules.RingFallback;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules;
import java.util.List;

/**
 * Which algorithms and protocols a communicator may use: those that NCCL implements, the hardware
 * supports and the user allows (third part of {@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}).
 */
public final class EnablingRules {
  /** The value of NCCL_PAT_ENABLE for automatic selection. */
  private static final int PAT_WHERE_IT_FITS = 2;

  private static final List<Algorithm> WITHOUT_COLLNET =
      List.of(Algorithm.TREE, Algorithm.RING, Algorithm.NVLS, Algorithm.NVLS_TREE);

  private final CommFacts facts;
  private final AlgorithmRules rules;
  private final UserLists lists;
  private final boolean pat;
  private final boolean ll128OverC2c;

  EnablingRules(CommFacts facts, NcclSettings userSettings) {
    NcclSettings settings = facts.profile().complete(userSettings);
    this.facts = facts;
    this.rules = facts.profile().tuning().algorithms;
    this.lists = UserLists.of(facts.profile(), settings);
    this.pat = isPatOn(facts, settings);
    this.ll128OverC2c = settings.integer("NCCL_LL128_C2C", 1) != 0;
  }

  /**
   * Checks that a version of NCCL would start with these settings.
   *
   * @throws dev.topo.model.job.SettingException if it would not, for a list
   */
  public static void check(NcclProfile profile, NcclSettings settings) {
    UserLists.of(profile, settings);
  }

  private static boolean isPatOn(CommFacts facts, NcclSettings settings) {
    int wanted = settings.integer("NCCL_PAT_ENABLE", PAT_WHERE_IT_FITS);
    if (facts.minSm() < facts.profile().tuning().algorithms.patSm) {
      return false;
    }
    if (!facts.hasPatOverNvls()) {
      return wanted == PAT_WHERE_IT_FITS ? facts.nNodes() == facts.nRanks() : wanted != 0;
    }
    boolean overNvls =
        facts.nvls() && facts.localRanks().stream().allMatch(ranks -> ranks == facts.nvlsHeads());
    return overNvls && (wanted == PAT_WHERE_IT_FITS ? facts.nNodes() > 1 : wanted != 0);
  }

  /** True if NCCL has code for a pair that this communicator could run. */
  boolean hasKernel(Collective collective, Algorithm algorithm, Protocol protocol) {
    return rules.hasAlgorithm(collective, algorithm)
        && (algorithm != Algorithm.PAT || pat)
        && (protocol == Protocol.SIMPLE || !rules.isSimpleOnly(algorithm));
  }

  /** True if the user allows an algorithm, or the version ignores that he does not. */
  boolean allowsAlgorithm(Collective collective, Algorithm algorithm) {
    boolean ignored =
        (algorithm == Algorithm.RING || algorithm == Algorithm.TREE)
            && ignoresAlgorithms(collective);
    return ignored || lists.allowsAlgorithm(collective, algorithm);
  }

  /**
   * True if a list of algorithms counts for nothing because it has none that works without
   * in-network reduction, which the communicator lacks. Only versions that fall back to rings do
   * so, for the sake of lists that have nothing but CollNet.
   */
  private boolean ignoresAlgorithms(Collective collective) {
    return rules.ringFallback != RingFallback.NONE
        && facts.collNet().isEmpty()
        && WITHOUT_COLLNET.stream()
            .noneMatch(a -> lists.algorithms.allows(collective, a.number()) && isPossible(a));
  }

  /** True if NCCL runs a ring that may not be used where nothing else is left. */
  boolean fallsBack(Collective collective, Protocol protocol) {
    boolean fits =
        switch (rules.ringFallback) {
          case NONE -> false;
          case ALLOWED_PROTOCOLS -> isProtocolEnabled(collective, Algorithm.RING, protocol);
          case ANY_PROTOCOL -> true;
        };
    return fits && !isEnabled(collective, Algorithm.RING, protocol);
  }

  /** True if the settings list protocols for a collective, which disables the rules of LL128. */
  boolean statesProtocols(Collective collective) {
    return lists.protocols.isStatedFor(collective);
  }

  boolean isEnabled(Collective collective, Algorithm algorithm, Protocol protocol) {
    return allowsAlgorithm(collective, algorithm)
        && isPossible(algorithm)
        && isProtocolEnabled(collective, algorithm, protocol);
  }

  /** True if the communicator has what an algorithm needs. */
  boolean isPossible(Algorithm algorithm) {
    boolean collNet = facts.collNet().isPresent();
    return switch (algorithm) {
      case TREE, RING, PAT -> true;
      case COLLNET_DIRECT -> collNet && (facts.nvSwitch() || rules.collNetDirectWithoutSwitch);
      case COLLNET_CHAIN -> collNet && canChain();
      case NVLS -> collNet || facts.nNodes() == 1;
      case NVLS_TREE -> facts.nNodes() > 1;
    };
  }

  /** True if all chains begin where the network's communicators are, if the version asks for it. */
  private boolean canChain() {
    return !rules.chainsFromHeads
        || facts.collNet().map(CommFacts.CollNet::chainsFromHeads).orElse(true);
  }

  boolean isProtocolEnabled(Collective collective, Algorithm algorithm, Protocol protocol) {
    return (protocol == Protocol.LL128 && !statesProtocols(collective))
        ? isLl128Safe(facts.graph(algorithm))
        : lists.protocols.allows(collective, protocol.number());
  }

  /**
   * LL128 is right only where 128 bytes arrive as they were sent. That depends on every link of the
   * path; a list of protocols in the settings overrides the check. The exception that NCCL makes
   * for CUDA 11.8 is left out.
   */
  private boolean isLl128Safe(ChannelGraph graph) {
    PathRules paths = facts.profile().paths();
    return paths.isWithin(graph.typeInter(), farthestLl128())
        && paths.isWithin(graph.typeIntra(), rules.ll128Intra)
        && isLl128Mixture()
        && isLl128Generation();
  }

  /** True if LL128 is right on GPUs of the oldest generation that there is. */
  boolean isLl128Generation() {
    return rules.ll128Sm.contains(facts.minSm());
  }

  /** True if LL128 is right between the generations of GPUs. */
  boolean isLl128Mixture() {
    return facts.minSm() == facts.maxSm() || facts.minSm() >= rules.ll128MixedSm;
  }

  /** The farthest path to the network on which LL128 is right. */
  PathType farthestLl128() {
    return rules.ll128Inter(facts.minSm(), ll128OverC2c);
  }
}
