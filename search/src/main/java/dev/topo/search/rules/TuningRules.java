package dev.topo.search.rules;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.RuleTable.Rules;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Constants of the tuning model ({@code nccl:src/graph/tuning.cc}). NCCL's authors measured them.
 * Latencies are in microseconds, bandwidths in GB/s.
 */
public final class TuningRules extends Rules {
  /** The hardware that a step goes over ({@code NCCL_HW_*}). */
  public enum Hardware {
    NVLINK,
    PCI,
    NET
  }

  /** The available algorithms and protocols, and the conditions for their use. */
  public final AlgorithmRules algorithms = new AlgorithmRules(table);

  /** The bandwidth of NVLS and NVLSTree. */
  public final NvlsRules nvls = NvlsRules.of(table);

  private static final int FEW_GPUS = 2;

  private final Map<Algorithm, double[]> baseLatency = latencies(table, "tuning.base-latency.");
  private final Map<Hardware, Map<Algorithm, double[]>> stepLatency = new EnumMap<>(Hardware.class);
  private final BySm<double[]> llMax = table.rowsBySm("tuning.ll-max.");
  private final int llMaxRowOtherCpu = table.integer("tuning.ll-max-row-other-cpu");
  private final int llMaxRowAmd = table.integer("tuning.ll-max-row-amd");
  private final int treeCorrectionFirstLog2 = table.integer("tuning.tree-correction-first-log2");
  private final boolean treeCorrectionBelowFirst = table.flag("tuning.tree-correction-below-first");
  private final Map<Protocol, double[]> treeCorrection = new EnumMap<>(Protocol.class);
  private final BySm<double[]> nvlsTreeCorrection = table.rowsBySm("tuning.nvls-tree-correction.");
  private final int nvlsTreeCorrectionArmGBps = table.limit("tuning.nvls-tree-correction-arm-gbps");
  private final int nvlsTreeCorrectionArmRanks =
      table.integer("tuning.nvls-tree-correction-arm-ranks");
  private final int nvlsTreeCorrectionArmTwoNodes =
      table.integer("tuning.nvls-tree-correction-arm-two-nodes");

  /** Maximum bandwidth of a channel with the named or any protocol, for {@link #atScale}. */
  public final BySm<double[]> ringLl128Max = table.rowsBySm("tuning.ring-ll128-max.");

  public final BySm<double[]> treeLl128Max = table.rowsBySm("tuning.tree-ll128-max.");
  public final BySm<double[]> treeMax = table.rowsBySm("tuning.tree-max.");

  /** The part of its bandwidth that CollNetDirect reaches. */
  public final BySm<Double> collNetDirectShare = table.numbersBySm("tuning.collnet-direct-share");

  /**
   * Parts of its bandwidth that an algorithm reaches with any or the named protocol; Tree has a
   * divisor for LL, and a factor where it is neither balanced nor split.
   */
  private final double ringLlShare = table.number("tuning.ring-ll-share");

  private final double ringLlShareOneNode = table.number("tuning.ring-ll-share-one-node");
  private final double ringLl128Share = table.number("tuning.ring-ll128-share");
  private final double ringLl128ShareFewGpus = table.number("tuning.ring-ll128-share-few-gpus");
  public final double treeShare = table.number("tuning.tree-share");
  public final double treeLlDivisor = table.number("tuning.tree-ll-divisor");
  public final double treeLl128ShareOneNode = table.number("tuning.tree-ll128-share-one-node");
  public final double treeLl128Share = table.number("tuning.tree-ll128-share");
  public final double plainTreeShare = table.number("tuning.plain-tree-share");
  public final double patShare = table.number("tuning.pat-share");

  /**
   * True if the tree pattern with the highest number among all nodes is used, not the node's own
   * (from 2.26 on).
   */
  public final boolean treePatternOfJob = table.flag("tuning.tree-pattern-of-job");

  /**
   * Parts of its bandwidth that CollNetDirect reaches for AllGather and ReduceScatter with one GPU
   * on each node and with eight, up to 2.26; later, the bandwidth of the network counts.
   */
  public final Optional<double[]> collNetGatherShares =
      table.has("tuning.collnet-gather-shares")
          ? Optional.of(table.numbers("tuning.collnet-gather-shares"))
          : Optional.empty();

  /** Part of the network's bandwidth that CollNetDirect reaches. */
  public final float collNetNetShare =
      collNetGatherShares.isPresent() ? 0 : table.single("tuning.collnet-net-share");

  /**
   * True if AllGather and ReduceScatter over several nodes use as many heads as the fullest node
   * has GPUs, also with NVLS (from 2.27 on). Before, CollNetDirect uses as many as nodes have GPUs
   * on average.
   */
  public final boolean headsForFullestNode = table.flag("tuning.heads-for-fullest-node");

  /**
   * Number of nodes up to which the bandwidth inside a node counts; rings have separate numbers.
   */
  public final int intraBandwidthNodes = table.integer("tuning.intra-bandwidth-nodes");

  public final BySm<Double> ringIntraBandwidthNodes =
      table.numbersBySm("tuning.ring-intra-bandwidth-nodes");

  /**
   * Compute capability from which the lower bandwidth of a tree counts, in a node or between nodes,
   * however many nodes there are; for PAT, at any compute capability.
   */
  public final int treeLowerBandwidthSm = table.limit("tuning.tree-lower-bandwidth-sm");

  public final boolean patLowerBandwidth = table.flag("tuning.pat-lower-bandwidth");

  /** True if trees over PCI have the latency of rings on POWER: up to 2.30. */
  public final boolean powerTreesAsRings = table.flag("tuning.power-trees-as-rings");

  /** Time of a network post, in general and on AMD CPUs. */
  public final float netOverheadUs = table.single("tuning.net-overhead");

  public final float netOverheadAmdUs = table.single("tuning.net-overhead-amd");

  public final int simpleNetPosts = table.integer("tuning.simple-net-posts");

  /** Algorithms for which the network has the latency of Tree where every node has one GPU. */
  public enum AsTree {
    NONE,
    RING,
    ALL
  }

  public final AsTree oneGpuNodesAsTree = table.one("tuning.one-gpu-nodes-as-tree", AsTree.class);

  /** Additional steps between nodes of AllReduce on rings, beyond {@code 2 * (nNodes - 1)}. */
  public final int allReduceExtraNetSteps = table.integer("tuning.all-reduce-extra-net-steps");

  /** Time that a head of CollNetDirect takes for each GPU of its node. */
  public final double collNetDirectGpuUs = table.number("tuning.collnet-direct-gpu-latency");

  /** PAT: divisor of the latency of the network, and time for each rank. */
  public final double patNetDivisor = table.number("tuning.pat-net-divisor");

  public final double patRankUs = table.number("tuning.pat-rank-latency");

  /** The size from which rings start more slowly, and by how much. */
  public final RingPlateau ringPlateau = new RingPlateau(table);

  /** True if calls of a group that share a channel add up their latencies. */
  public final boolean groupedLatencies = table.flag("tuning.grouped-latencies");

  /** Calls that share one latency, except on rings. */
  public final int callsPerBatch = table.integer("tuning.calls-per-batch");

  /**
   * Ranks of the longest ring that is used for 8-bit floating point numbers without penalty, and
   * the factor of the time of longer rings.
   */
  public final int float8MaxRing = table.integer("tuning.float8-max-ring");

  public final float float8RingPenalty = table.single("tuning.float8-ring-penalty");

  /**
   * True if bus bandwidth is multiplied by the ranks and then divided by the steps of a ring, not
   * multiplied by their ratio; only the rounding differs.
   */
  public final boolean dividesBySteps =
      table.isFirst("tuning.size-of-links", "by-steps", "by-ratio");

  /** True if NCCL takes the last of equally fast candidates, in the order of its lists. */
  private final boolean lastOfEqualsWins = table.isFirst("tuning.ties", "last", "first");

  /** True if the log has bandwidth 0 for pairs that are not used; else any number. */
  public final boolean logsUnusedAsZero = table.isFirst("tuning.unused-in-log", "zero", "any");

  /** Pairs with times from this value on are not used. */
  public final float tooLongUs = table.single("tuning.too-long");

  TuningRules(RuleTable table) {
    super(table);
    for (Hardware hardware : Hardware.values()) {
      String name = hardware.name().toLowerCase(Locale.ROOT);
      stepLatency.put(hardware, latencies(table, "tuning." + name + "-latency."));
    }
    for (Protocol protocol : Protocol.values()) {
      treeCorrection.put(protocol, table.numbers("tuning.tree-correction." + protocol.label()));
    }
  }

  private static Map<Algorithm, double[]> latencies(RuleTable table, String prefix) {
    Map<Algorithm, double[]> rows = new EnumMap<>(Algorithm.class);
    for (Algorithm algorithm : Algorithm.values()) {
      rows.put(algorithm, table.numbers(prefix + algorithm.label()));
    }
    return rows;
  }

  /**
   * True if NCCL prefers a candidate to the best earlier one in its list.
   *
   * @param time time of the candidate
   * @param best least time before it
   */
  public boolean isTaken(float time, float best) {
    return time < best || (time == best && lastOfEqualsWins);
  }

  /** The part of its bandwidth that a ring reaches with LL. */
  public double ringLlShare(Collective collective, int nNodes) {
    boolean reduces = collective == Collective.ALL_REDUCE || collective == Collective.REDUCE;
    return nNodes == 1 && !reduces ? ringLlShareOneNode : ringLlShare;
  }

  /** The part of its bandwidth that a ring reaches with LL128. */
  public double ringLl128Share(float ranksPerNode) {
    return ranksPerNode < FEW_GPUS ? ringLl128ShareFewGpus : ringLl128Share;
  }

  /** Latency of an algorithm before its first step. */
  public double baseLatencyUs(Algorithm algorithm, Protocol protocol) {
    return cell(baseLatency, algorithm, protocol);
  }

  /** Latency of one step of an algorithm. */
  public double stepLatencyUs(Hardware hardware, Algorithm algorithm, Protocol protocol) {
    return cell(stepLatency.getOrDefault(hardware, Map.of()), algorithm, protocol);
  }

  private static double cell(
      Map<Algorithm, double[]> rows, Algorithm algorithm, Protocol protocol) {
    return rows.getOrDefault(algorithm, new double[0])[protocol.number()];
  }

  /** The entry of the row of a compute capability for a number of nodes: one, two or more. */
  public static double atScale(BySm<double[]> rows, int sm, int nNodes) {
    double[] row = rows.at(sm);
    return row[Math.min(nNodes, row.length) - 1];
  }

  /** The maximum total bandwidth of LL on all channels; between nodes it depends on the CPU. */
  public double llMax(int minSm, boolean amd, int nNodes) {
    int betweenNodes = amd ? llMaxRowAmd : llMaxRowOtherCpu;
    return atScale(llMax, nNodes == 1 ? minSm : betweenNodes, nNodes);
  }

  /** The part of its bandwidth that a tree reaches at a size. */
  public float treeCorrection(Protocol protocol, long sizeBytes) {
    double[] row = Objects.requireNonNull(treeCorrection.get(protocol));
    int index = correctionIndex(sizeBytes);
    return correction(row, treeCorrectionBelowFirst ? Math.max(0, index) : index);
  }

  /** The part of its bandwidth that NVLSTree reaches at a size on x86 CPUs. */
  public float nvlsTreeCorrection(int minSm, long sizeBytes) {
    return correction(nvlsTreeCorrection.at(minSm), correctionIndex(sizeBytes));
  }

  /**
   * True if NVLSTree is corrected on ARM CPUs, too.
   *
   * @param slowestPortGBps bandwidth of the slowest port that a GPU uses
   */
  public boolean correctsNvlsTreeOnArm(
      List<Integer> localRanks, float slowestPortGBps, long sizeBytes) {
    return slowestPortGBps >= nvlsTreeCorrectionArmGBps
        && localRanks.stream().allMatch(ranks -> ranks == nvlsTreeCorrectionArmRanks)
        && (localRanks.size() > 2 || correctionIndex(sizeBytes) < nvlsTreeCorrectionArmTwoNodes);
  }

  private int correctionIndex(long sizeBytes) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(sizeBytes) - treeCorrectionFirstLog2;
  }

  private static float correction(double[] row, int index) {
    return index >= 0 && index < row.length ? (float) row[index] : 1;
  }

  /** How NCCL derives the bandwidth of NVLS ({@code ncclTopoTuneModel}). */
  public sealed interface NvlsRules {
    /** The rules of a version, determined by its keys. */
    static NvlsRules of(RuleTable table) {
      return table.has("tuning.nvls-all-reduce-share")
          ? new OfLinks(
              table.number("tuning.nvls-all-reduce-share"),
              table.number("tuning.nvls-gather-share"),
              table.flag("tuning.nvls-gathers-from-others"),
              table.single("tuning.nvls-gather-net-share"))
          : new Measured(
              table.numbersBySm("tuning.nvls-efficiency"),
              table.rowsBySm("tuning.nvls-tree-max."),
              table.isFirst("tuning.nvls-ranks", "fewest", "mean"));
    }

    /**
     * From the measured bandwidth of multicast (from 2.28 on).
     *
     * @param efficiency the part of NVLink bandwidth that multicast reaches
     * @param treeMax maximum bandwidth of a channel of NVLSTree, for {@link TuningRules#atScale}
     * @param countsFewestRanks whether AllGather and ReduceScatter use the number of ranks of the
     *     smallest node, not the mean
     */
    record Measured(BySm<Double> efficiency, BySm<double[]> treeMax, boolean countsFewestRanks)
        implements NvlsRules {}

    /**
     * From the bandwidths of the links (up to 2.27).
     *
     * @param allReduceShare the part of them that AllReduce reaches
     * @param gatherShare the part of them that AllGather and ReduceScatter reach
     * @param gathersFromOthers whether these two count only the traffic on the links, not a rank's
     *     own part
     * @param gatherNetShare the part of the network's bandwidth that these two reach
     */
    record OfLinks(
        double allReduceShare, double gatherShare, boolean gathersFromOthers, float gatherNetShare)
        implements NvlsRules {}
  }

  /**
   * The size from which a ring with Simple starts more slowly, and by how much ({@code
   * ncclTopoGetAlgoTime}, {@code nccl:src/graph/tuning.cc}; {@code ncclTuningRingModelSim}, {@code
   * nccl:src/tuning/ring.cc}, from 2.31 on). Between nodes this applies to AllReduce; on one NVLink
   * node from a compute capability on.
   */
  public static final class RingPlateau extends Rules {
    /** Bytes for each channel and rank from which a ring starts more slowly. */
    public final int bytes = table.integer("tuning.ring-plateau-bytes");

    private final BySm<Double> factor = table.numbersBySm("tuning.ring-plateau-factor");
    private final int oneNodeSm = table.limit("tuning.ring-plateau-one-node-sm");
    private final List<Collective> onOneNode =
        table.named("tuning.ring-plateau-one-node", Collective::ofLabel);

    /**
     * The decrease of the factor with size on one node; its ratio to the excess of the factor over
     * 1 also determines how the factor grows with the steps of the ring. 0 if it depends on
     * neither.
     */
    private final float fall = table.single("tuning.ring-plateau-fall");

    /**
     * Bytes for each channel and rank at which the factor begins to fall, and over which it falls.
     */
    private final int fallFromBytes = table.integer("tuning.ring-plateau-fall-from-bytes");

    private final int fallOverBytes = table.integer("tuning.ring-plateau-fall-over-bytes");

    RingPlateau(RuleTable table) {
      super(table);
    }

    /** Sizes for each channel and rank at which the slope of a ring's time changes. */
    public List<Integer> bends() {
      return fall == 0
          ? List.of(bytes)
          : List.of(bytes, fallFromBytes, fallFromBytes + fallOverBytes);
    }

    /** The factor of the latency of a ring between nodes. */
    public double betweenNodes(Collective collective, int minSm, long shareBytes) {
      return collective == Collective.ALL_REDUCE && shareBytes >= bytes ? maxFactor(minSm) : 1;
    }

    /** The factor before it falls; in single precision if it falls, like NCCL. */
    private double maxFactor(int minSm) {
      double maxFactor = factor.at(minSm);
      return fall == 0 ? maxFactor : (float) maxFactor;
    }

    /**
     * The factor of the latency of a ring of NVLinks on one node.
     *
     * @param steps number of steps of the ring
     * @param shareBytes size for each channel and rank
     */
    public double onOneNode(Collective collective, int minSm, int steps, long shareBytes) {
      if (minSm < oneNodeSm || !onOneNode.contains(collective) || shareBytes < bytes) {
        return 1;
      }
      if (fall == 0) {
        return maxFactor(minSm);
      }
      float excess = (float) maxFactor(minSm) - 1;
      float stepsShare = 1 - (float) Math.pow(fall / excess, Math.max(0, steps - 1));
      float excessAtSize = excess;
      if (shareBytes > fallFromBytes) {
        excessAtSize -= fall * Math.min(1, (float) (shareBytes - fallFromBytes) / fallOverBytes);
      }
      return 1 + stepsShare * excessAtSize;
    }
  }
}
