package dev.topo.search.rules;

import dev.topo.model.PathType;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Constants of the tuning model ({@code nccl:src/graph/tuning.cc}). NCCL's authors measured them.
 * Latencies are in microseconds, bandwidths in GB/s.
 */
public final class TuningRules {
  /** What a step goes over ({@code NCCL_HW_*}). */
  public enum Hardware {
    /** NVLink. */
    NVLINK,
    /** PCI Express. */
    PCI,
    /** The network. */
    NET
  }

  private final Map<Collective, List<String>> algorithms = new EnumMap<>(Collective.class);
  private final List<String> simpleOnly;
  private final Map<Algorithm, double[]> baseLatency;
  private final Map<Hardware, Map<Algorithm, double[]>> stepLatency = new EnumMap<>(Hardware.class);
  private final BySm<double[]> llMax;
  private final int llMaxRowOtherCpu;
  private final int llMaxRowAmd;
  private final BySm<double[]> ringLl128Max;
  private final BySm<double[]> treeLl128Max;
  private final BySm<double[]> treeMax;
  private final BySm<double[]> nvlsTreeMax;
  private final BySm<Float> nvlsEfficiency;
  private final BySm<Double> collNetDirectShare;
  private final BySm<Double> ringPlateauFactor;
  private final int treeCorrectionFirstLog2;
  private final float[][] treeCorrection = new float[Protocol.values().length][];

  /** Compute capability from which there is PAT. */
  public final int patSm;

  /** Fewest NVLS channels with which NCCL considers NVLS. */
  public final int minNvlsChannels;

  /** Compute capability from which a store of 128 bytes arrives in one piece. */
  public final int ll128Sm;

  /** The farthest path between GPUs on which LL128 is safe. */
  public final PathType ll128Intra;

  private final PathType ll128Inter;
  private final PathType ll128InterC2c;
  private final int ll128C2cSm;

  /** Compute capability from which 8-bit floating point numbers are reduced. */
  public final int float8Sm;

  /** Part of its bandwidth that Ring reaches with LL. */
  public final double ringLlShare;

  /** Part of its bandwidth that Ring reaches with LL128. */
  public final double ringLl128Share;

  /** Part of its bandwidth that Tree reaches. */
  public final double treeShare;

  /** Divides the bandwidth of Tree for LL. */
  public final double treeLlDivisor;

  /** Part of its bandwidth that Tree reaches with LL128 on one node. */
  public final double treeLl128ShareOneNode;

  /** Part of its bandwidth that Tree reaches with LL128 between nodes. */
  public final double treeLl128Share;

  /** Part of its bandwidth that a tree reaches that is neither balanced nor split. */
  public final double plainTreeShare;

  /** Part of its bandwidth that PAT reaches. */
  public final double patShare;

  /** Part of the network's bandwidth that CollNetDirect reaches. */
  public final float collNetNetShare;

  /** Nodes up to which the bandwidth inside a node counts. */
  public final int intraBandwidthNodes;

  /** Time of a network post. */
  public final float netOverheadUs;

  /** Time of a network post on AMD CPUs. */
  public final float netOverheadAmdUs;

  /** Posts of one step with Simple. */
  public final int simpleNetPosts;

  /** Time that a head of CollNetDirect takes for each GPU of its node. */
  public final double collNetDirectGpuUs;

  /** Divides the latency of the network for PAT. */
  public final double patNetDivisor;

  /** Time of PAT for each rank. */
  public final double patRankUs;

  /** Bytes for each channel and rank from which a ring over several nodes starts more slowly. */
  public final int ringPlateauBytes;

  /** Calls in a batch. */
  public final int callsPerBatch;

  /** GPUs of a node that CollNet serves. */
  public final int collNetMaxGpus;

  /** GPUs of a node that NVLS serves. */
  public final int nvlsMaxGpus;

  /** Ranks of the longest ring that is used for 8-bit floating point numbers without penalty. */
  public final int float8MaxRing;

  /** Factor of the time of longer rings for 8-bit floating point numbers. */
  public final float float8RingPenalty;

  /** Times from here on count as none. */
  public final float tooLongUs;

  TuningRules(RuleTable table) {
    for (Collective collective : Collective.values()) {
      String name = collective.name().toLowerCase(Locale.ROOT).replace('_', '-');
      algorithms.put(collective, table.words("tuning.algorithms." + name));
    }
    simpleOnly = table.words("tuning.simple-only");
    baseLatency = latencies(table, "tuning.base-latency.");
    for (Hardware hardware : Hardware.values()) {
      String name = hardware.name().toLowerCase(Locale.ROOT);
      stepLatency.put(hardware, latencies(table, "tuning." + name + "-latency."));
    }
    llMax = table.rowsBySm("tuning.ll-max.");
    llMaxRowOtherCpu = table.integer("tuning.ll-max-row-other-cpu");
    llMaxRowAmd = table.integer("tuning.ll-max-row-amd");
    ringLl128Max = table.rowsBySm("tuning.ring-ll128-max.");
    treeLl128Max = table.rowsBySm("tuning.tree-ll128-max.");
    treeMax = table.rowsBySm("tuning.tree-max.");
    nvlsTreeMax = table.rowsBySm("tuning.nvls-tree-max.");
    nvlsEfficiency = table.singlesBySm("tuning.nvls-efficiency");
    collNetDirectShare = table.numbersBySm("tuning.collnet-direct-share");
    ringPlateauFactor = table.numbersBySm("tuning.ring-plateau-factor");
    treeCorrectionFirstLog2 = table.integer("tuning.tree-correction-first-log2");
    for (Protocol protocol : Protocol.values()) {
      treeCorrection[protocol.number()] =
          table.singles("tuning.tree-correction." + protocol.label());
    }
    patSm = table.integer("tuning.pat-sm");
    minNvlsChannels = table.integer("tuning.min-nvls-channels");
    ll128Sm = table.integer("tuning.ll128-sm");
    ll128Intra = table.type("tuning.ll128-intra");
    ll128Inter = table.type("tuning.ll128-inter");
    ll128InterC2c = table.type("tuning.ll128-inter-c2c");
    ll128C2cSm = table.integer("tuning.ll128-c2c-sm");
    float8Sm = table.integer("tuning.float8-sm");
    ringLlShare = table.number("tuning.ring-ll-share");
    ringLl128Share = table.number("tuning.ring-ll128-share");
    treeShare = table.number("tuning.tree-share");
    treeLlDivisor = table.number("tuning.tree-ll-divisor");
    treeLl128ShareOneNode = table.number("tuning.tree-ll128-share-one-node");
    treeLl128Share = table.number("tuning.tree-ll128-share");
    plainTreeShare = table.number("tuning.plain-tree-share");
    patShare = table.number("tuning.pat-share");
    collNetNetShare = table.single("tuning.collnet-net-share");
    intraBandwidthNodes = table.integer("tuning.intra-bandwidth-nodes");
    netOverheadUs = table.single("tuning.net-overhead");
    netOverheadAmdUs = table.single("tuning.net-overhead-amd");
    simpleNetPosts = table.integer("tuning.simple-net-posts");
    collNetDirectGpuUs = table.number("tuning.collnet-direct-gpu-latency");
    patNetDivisor = table.number("tuning.pat-net-divisor");
    patRankUs = table.number("tuning.pat-rank-latency");
    ringPlateauBytes = table.integer("tuning.ring-plateau-bytes");
    callsPerBatch = table.integer("tuning.calls-per-batch");
    collNetMaxGpus = table.integer("tuning.collnet-max-gpus");
    nvlsMaxGpus = table.integer("tuning.nvls-max-gpus");
    float8MaxRing = table.integer("tuning.float8-max-ring");
    float8RingPenalty = table.single("tuning.float8-ring-penalty");
    tooLongUs = table.single("tuning.too-long");
  }

  private static Map<Algorithm, double[]> latencies(RuleTable table, String prefix) {
    Map<Algorithm, double[]> rows = new EnumMap<>(Algorithm.class);
    for (Algorithm algorithm : Algorithm.values()) {
      rows.put(algorithm, table.numbers(prefix + algorithm.label()));
    }
    return rows;
  }

  /** Whether NCCL has an algorithm for a collective. */
  public boolean hasAlgorithm(Collective collective, Algorithm algorithm) {
    return algorithms.getOrDefault(collective, List.of()).contains(algorithm.label());
  }

  /** Whether NCCL has an algorithm with Simple only. */
  public boolean isSimpleOnly(Algorithm algorithm) {
    return simpleOnly.contains(algorithm.label());
  }

  /** The farthest path to the network on which LL128 is safe. */
  public PathType ll128Inter(int minSm, boolean overC2c) {
    return overC2c && minSm >= ll128C2cSm ? ll128InterC2c : ll128Inter;
  }

  /** What an algorithm takes before its first step. */
  public double baseLatencyUs(Algorithm algorithm, Protocol protocol) {
    return cell(baseLatency, algorithm, protocol);
  }

  /** What one step of an algorithm takes. */
  public double stepLatencyUs(Hardware hardware, Algorithm algorithm, Protocol protocol) {
    return cell(stepLatency.getOrDefault(hardware, Map.of()), algorithm, protocol);
  }

  private static double cell(
      Map<Algorithm, double[]> rows, Algorithm algorithm, Protocol protocol) {
    return rows.getOrDefault(algorithm, new double[0])[protocol.number()];
  }

  private static double atScale(double[] row, int nNodes) {
    return row[Math.min(nNodes, row.length) - 1];
  }

  /** The most that LL reaches on all channels together; the CPU decides between nodes. */
  public double llMax(int minSm, boolean amd, int nNodes) {
    int betweenNodes = amd ? llMaxRowAmd : llMaxRowOtherCpu;
    return atScale(llMax.at(nNodes == 1 ? minSm : betweenNodes), nNodes);
  }

  /** The most that a channel of Ring reaches with LL128. */
  public double ringLl128ChannelMax(int minSm, int nNodes) {
    return atScale(ringLl128Max.at(minSm), nNodes);
  }

  /** The most that a channel of Tree reaches with LL128. */
  public double treeLl128ChannelMax(int minSm, int nNodes) {
    return atScale(treeLl128Max.at(minSm), nNodes);
  }

  /** The most that a channel of Tree reaches with any protocol. */
  public double treeChannelMax(int minSm, int nNodes) {
    return atScale(treeMax.at(minSm), nNodes);
  }

  /** The most that a channel of NVLSTree reaches. */
  public double nvlsTreeChannelMax(int minSm, int nNodes) {
    return atScale(nvlsTreeMax.at(minSm), nNodes);
  }

  /** The part of NVLink bandwidth that multicast reaches. */
  public float nvlsEfficiency(int minSm) {
    return nvlsEfficiency.at(minSm);
  }

  /** The part of its bandwidth that CollNetDirect reaches. */
  public double collNetDirectShare(int minSm) {
    return collNetDirectShare.at(minSm);
  }

  /** Factor of the latency of a ring over several nodes from {@link #ringPlateauBytes} on. */
  public double ringPlateauFactor(int minSm) {
    return ringPlateauFactor.at(minSm);
  }

  /** The part of its bandwidth that a tree reaches at a size. */
  public float treeCorrection(Protocol protocol, long sizeBytes) {
    float[] row = treeCorrection[protocol.number()];
    int place = Long.SIZE - 1 - Long.numberOfLeadingZeros(sizeBytes) - treeCorrectionFirstLog2;
    return place >= 0 && place < row.length ? row[place] : 1;
  }
}
