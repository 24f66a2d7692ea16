package dev.topo.search.rules;

import dev.topo.model.Link.PathType;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.BySm.SmSet;
import dev.topo.search.rules.RuleTable.Rules;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The algorithms and protocols that NCCL has for each collective, and the conditions for their use
 * ({@code ncclTopoTuneModel}, {@code nccl:src/graph/tuning.cc}, and {@code updateCollCostTable},
 * {@code nccl:src/enqueue.cc}).
 */
public final class AlgorithmRules extends Rules {
  /** The protocols of the ring to which NCCL falls back if no algorithm can run a call. */
  public enum RingFallback {
    /** No fallback: NCCL refuses the call (from 2.24 on). */
    NONE,
    /** The protocols that the settings and the hardware allow (2.23). */
    ALLOWED_PROTOCOLS,
    /** All protocols (up to 2.21). */
    ANY_PROTOCOL
  }

  private final Map<Collective, List<String>> algorithms = new EnumMap<>(Collective.class);
  private final List<String> simpleOnly = table.words("tuning.simple-only");
  private final BySm<PathType> ll128Inter = table.typesBySm("tuning.ll128-inter");
  private final BySm<PathType> ll128InterWithoutC2c =
      table.typesBySm("tuning.ll128-inter-without-c2c");

  /** Lowest compute capability with PAT. */
  public final int patSm = table.integer("tuning.pat-sm");

  /** Minimum number of channels for NVLS. */
  public final int minNvlsChannels = table.integer("tuning.min-nvls-channels");

  /** Compute capabilities on which a store of 128 bytes is known to be atomic. */
  public final SmSet ll128Sm = table.smSet("tuning.ll128-sm");

  /** Compute capability from which LL128 is used between GPUs of different capabilities. */
  public final int ll128MixedSm = table.limit("tuning.ll128-mixed-sm");

  /** The farthest path between GPUs on which LL128 is safe. */
  public final PathType ll128Intra = table.type("tuning.ll128-intra");

  private final int float8Sm = table.limit("tuning.float8-sm");
  private final int float8CopiesSm = table.limit("tuning.float8-copies-sm");

  /** Maximum number of GPUs on a node for an algorithm; for NVLS, AllReduce is exempt. */
  public final int collNetDirectMaxGpus = table.limit("tuning.collnet-direct-max-gpus");

  public final int collNetChainMaxGpus = table.limit("tuning.collnet-chain-max-gpus");
  public final int nvlsMaxGpus = table.limit("tuning.nvls-max-gpus");

  /** Maximum number of channels for NVLS; AllReduce is exempt. */
  public final int nvlsMaxChannels = table.limit("tuning.nvls-max-channels");

  /** True if AllReduce also needs a head for every GPU of a node to use in-network reduction. */
  public final boolean allReduceNeedsHeads =
      table.isFirst("tuning.collnet-heads-for", "all", "gathers");

  /** True if CollNetDirect works without NVSwitches. */
  public final boolean collNetDirectWithoutSwitch =
      table.flag("tuning.collnet-direct-without-switch");

  /** True if PAT runs over NVLS with several GPUs on a node, as a last resort. */
  public final boolean patOverNvls = table.flag("tuning.pat-over-nvls");

  /** True if PAT runs ReduceScatter with averages and other scaled sums. */
  public final boolean patScaledSums = table.flag("tuning.pat-scaled-sums");

  /** True if AllGather and ReduceScatter use NVLS on several nodes. */
  public final boolean nvlsGathersBetweenNodes = table.flag("tuning.nvls-gathers-between-nodes");

  /** True if AllGather uses NVLS for types that the switch cannot reduce. */
  public final boolean nvlsGathersAnyType = table.flag("tuning.nvls-gathers-any-type");

  /** True if CollNetChain requires that its chains reach the network from heads only. */
  public final boolean chainsFromHeads = table.flag("tuning.collnet-chain-from-heads");

  /**
   * True if NCCL_ALGO and NCCL_PROTO may name collectives, and unknown names are errors. Before, a
   * list applies to all collectives and unknown names are ignored.
   */
  public final boolean listsByCollective = table.flag("tuning.lists-by-collective");

  /**
   * The names that NCCL_SYM_KERNEL may list in place of algorithms; empty where it is not a list.
   */
  public final List<String> kernelNames =
      table.has("tuning.kernel-names") ? table.words("tuning.kernel-names") : List.of();

  /** What NCCL does if no algorithm can run a call. */
  public final RingFallback ringFallback = table.one("tuning.ring-fallback", RingFallback.class);

  AlgorithmRules(RuleTable table) {
    super(table);
    for (Collective collective : Collective.values()) {
      algorithms.put(collective, table.words("tuning.algorithms." + RuleTable.word(collective)));
    }
  }

  /** True if NCCL_SYM_KERNEL is a list, as NCCL_ALGO is. */
  public boolean listsKernels() {
    return !kernelNames.isEmpty();
  }

  /** True if NCCL has an algorithm for a collective. */
  public boolean hasAlgorithm(Collective collective, Algorithm algorithm) {
    return algorithms.getOrDefault(collective, List.of()).contains(algorithm.label());
  }

  /** True if NCCL has an algorithm for any collective. */
  public boolean hasAlgorithm(Algorithm algorithm) {
    return algorithms.keySet().stream().anyMatch(c -> hasAlgorithm(c, algorithm));
  }

  /** True if NCCL has an algorithm for a collective with a protocol. */
  public boolean hasPair(Collective collective, Algorithm algorithm, Protocol protocol) {
    return hasAlgorithm(collective, algorithm)
        && (protocol == Protocol.SIMPLE || !simpleOnly.contains(algorithm.label()));
  }

  /** The farthest path to the network on which LL128 is safe, with NCCL_LL128_C2C or without. */
  public PathType ll128Inter(int minSm, boolean overC2c) {
    return (overC2c ? ll128Inter : ll128InterWithoutC2c).at(minSm);
  }

  /** Lowest compute capability with 8-bit floating point numbers in a collective. */
  public int float8Sm(Collective collective) {
    return collective.isReduction() ? float8Sm : float8CopiesSm;
  }

  /** True if 8-bit floating point numbers are supported at all. */
  public boolean hasFloat8() {
    return float8Sm != Integer.MAX_VALUE;
  }
}
