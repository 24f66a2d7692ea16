package dev.topo.search.cost;

import dev.topo.model.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.rules.TuningRules;
import java.util.Arrays;

/**
 * Which algorithms and protocols a communicator may use: those that NCCL implements, the hardware
 * supports and the user allows (third part of {@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}).
 */
public final class EnablingRules {
  /** The value of NCCL_PAT_ENABLE for automatic selection. */
  private static final int PAT_WHERE_IT_FITS = 2;

  private final CommFacts facts;
  private final TuningRules rules;
  private final ElementList algorithms;
  private final ElementList protocols;
  private final boolean pat;
  private final boolean ll128OverC2c;

  public EnablingRules(CommFacts facts, NcclSettings userSettings) {
    NcclSettings settings = facts.profile().complete(userSettings);
    this.facts = facts;
    this.rules = facts.profile().tuning();
    this.algorithms = algorithms(settings);
    this.protocols = protocols(settings);
    this.pat = isPatOn(facts, settings);
    this.ll128OverC2c = settings.integer("NCCL_LL128_C2C", 1) != 0;
  }

  /**
   * Checks that NCCL would start with these settings.
   *
   * @throws dev.topo.model.settings.SettingException if it would not, for NCCL_ALGO or NCCL_PROTO
   */
  public static void check(NcclSettings settings) {
    algorithms(settings);
    protocols(settings);
  }

  private static ElementList algorithms(NcclSettings settings) {
    return ElementList.of(
        "NCCL_ALGO", settings, Arrays.stream(Algorithm.values()).map(Algorithm::label).toList());
  }

  private static ElementList protocols(NcclSettings settings) {
    return ElementList.of(
        "NCCL_PROTO", settings, Arrays.stream(Protocol.values()).map(Protocol::label).toList());
  }

  private static boolean isPatOn(CommFacts facts, NcclSettings settings) {
    int wanted = settings.integer("NCCL_PAT_ENABLE", PAT_WHERE_IT_FITS);
    if (facts.minSm() < facts.profile().tuning().patSm) {
      return false;
    }
    return wanted == PAT_WHERE_IT_FITS ? facts.nNodes() == facts.nRanks() : wanted != 0;
  }

  /** Whether NCCL has code for a pair that this communicator could run. */
  public boolean hasKernel(Collective collective, Algorithm algorithm, Protocol protocol) {
    return rules.hasAlgorithm(collective, algorithm)
        && (algorithm != Algorithm.PAT || pat)
        && (protocol == Protocol.SIMPLE || !rules.isSimpleOnly(algorithm));
  }

  /** Whether the settings allow an algorithm for a collective. */
  public boolean allowsAlgorithm(Collective collective, Algorithm algorithm) {
    return algorithms.allows(collective, algorithm.number());
  }

  /** Whether the settings list protocols for a collective, which disables the rules of LL128. */
  public boolean statesProtocols(Collective collective) {
    return protocols.isStatedFor(collective);
  }

  /** Whether a pair may be used for a collective. */
  boolean isEnabled(Collective collective, Algorithm algorithm, Protocol protocol) {
    return allowsAlgorithm(collective, algorithm)
        && isPossible(algorithm)
        && isProtocolEnabled(collective, algorithm, protocol);
  }

  /** Whether the communicator has what an algorithm needs. */
  public boolean isPossible(Algorithm algorithm) {
    boolean collNet = facts.collNet().isPresent();
    return switch (algorithm) {
      case TREE, RING, PAT -> true;
      case COLLNET_DIRECT -> collNet && facts.nvSwitch();
      case COLLNET_CHAIN -> collNet;
      case NVLS -> collNet || facts.nNodes() == 1;
      case NVLS_TREE -> facts.nNodes() > 1;
    };
  }

  /** Whether a protocol is right for a collective by this algorithm. */
  public boolean isProtocolEnabled(Collective collective, Algorithm algorithm, Protocol protocol) {
    return (protocol == Protocol.LL128 && !statesProtocols(collective))
        ? isLl128Safe(facts.graph(algorithm))
        : protocols.allows(collective, protocol.number());
  }

  /**
   * LL128 is right only where 128 bytes arrive as they were sent. That depends on every link of the
   * path; a list of protocols in the settings overrides the check. The exception that NCCL makes
   * for CUDA 11.8 is left out.
   */
  private boolean isLl128Safe(ChannelGraph graph) {
    return graph.typeInter().isWithin(farthestLl128())
        && graph.typeIntra().isWithin(rules.ll128Intra)
        && facts.minSm() == facts.maxSm()
        && isLl128Generation();
  }

  /** Whether the GPUs are new enough for LL128. */
  public boolean isLl128Generation() {
    return facts.minSm() >= rules.ll128Sm;
  }

  /** The farthest path to the network on which LL128 is right. */
  public PathType farthestLl128() {
    return rules.ll128Inter(facts.minSm(), ll128OverC2c);
  }
}
