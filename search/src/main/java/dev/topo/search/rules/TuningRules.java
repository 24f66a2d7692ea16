package dev.topo.search.rules;

import dev.topo.model.PathType;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Constants of the tuning model ({@code nccl:src/graph/tuning.cc}). NCCL's authors measured them.
 * Latencies are in microseconds, bandwidths in GB/s.
 */
public final class TuningRules extends Rules {
  /** What a step goes over ({@code NCCL_HW_*}). */
  public enum Hardware {
    NVLINK,
    PCI,
    NET
  }

  private final Map<Collective, List<String>> algorithms = new EnumMap<>(Collective.class);
  private final List<String> simpleOnly = table.words("tuning.simple-only");
  private final Map<Algorithm, double[]> baseLatency = latencies(table, "tuning.base-latency.");
  private final Map<Hardware, Map<Algorithm, double[]>> stepLatency = new EnumMap<>(Hardware.class);
  private final BySm<double[]> llMax = table.rowsBySm("tuning.ll-max.");
  private final int llMaxRowOtherCpu = table.integer("tuning.ll-max-row-other-cpu");
  private final int llMaxRowAmd = table.integer("tuning.ll-max-row-amd");
  private final int treeCorrectionFirstLog2 = table.integer("tuning.tree-correction-first-log2");
  private final PathType ll128Inter = table.type("tuning.ll128-inter");
  private final PathType ll128InterC2c = table.type("tuning.ll128-inter-c2c");
  private final int ll128C2cSm = table.integer("tuning.ll128-c2c-sm");
  private final Map<Protocol, double[]> treeCorrection = new EnumMap<>(Protocol.class);

  /** The most that a channel reaches with the named or any protocol, for {@link #atScale}. */
  public final BySm<double[]> ringLl128Max = table.rowsBySm("tuning.ring-ll128-max.");

  public final BySm<double[]> treeLl128Max = table.rowsBySm("tuning.tree-ll128-max.");
  public final BySm<double[]> treeMax = table.rowsBySm("tuning.tree-max.");
  public final BySm<double[]> nvlsTreeMax = table.rowsBySm("tuning.nvls-tree-max.");

  /** The part of NVLink bandwidth that multicast reaches. */
  public final BySm<Double> nvlsEfficiency = table.numbersBySm("tuning.nvls-efficiency");

  /** The part of its bandwidth that CollNetDirect reaches. */
  public final BySm<Double> collNetDirectShare = table.numbersBySm("tuning.collnet-direct-share");

  /** Factor of the latency of a ring over several nodes from {@link #ringPlateauBytes} on. */
  public final BySm<Double> ringPlateauFactor = table.numbersBySm("tuning.ring-plateau-factor");

  public final int patSm = table.integer("tuning.pat-sm");

  public final int minNvlsChannels = table.integer("tuning.min-nvls-channels");

  /** Compute capability from which a store of 128 bytes arrives in one piece. */
  public final int ll128Sm = table.integer("tuning.ll128-sm");

  /** The farthest path between GPUs on which LL128 is safe. */
  public final PathType ll128Intra = table.type("tuning.ll128-intra");

  /** Compute capability from which 8-bit floating point numbers are reduced. */
  public final int float8Sm = table.integer("tuning.float8-sm");

  /**
   * Parts of its bandwidth that an algorithm reaches with any or the named protocol; Tree has a
   * divisor for LL, and a factor where it is neither balanced nor split.
   */
  public final double ringLlShare = table.number("tuning.ring-ll-share");

  public final double ringLl128Share = table.number("tuning.ring-ll128-share");
  public final double treeShare = table.number("tuning.tree-share");
  public final double treeLlDivisor = table.number("tuning.tree-ll-divisor");
  public final double treeLl128ShareOneNode = table.number("tuning.tree-ll128-share-one-node");
  public final double treeLl128Share = table.number("tuning.tree-ll128-share");
  public final double plainTreeShare = table.number("tuning.plain-tree-share");
  public final double patShare = table.number("tuning.pat-share");

  /** Part of the network's bandwidth that CollNetDirect reaches. */
  public final float collNetNetShare = table.single("tuning.collnet-net-share");

  /** Nodes up to which the bandwidth inside a node counts. */
  public final int intraBandwidthNodes = table.integer("tuning.intra-bandwidth-nodes");

  /** Time of a network post, and on AMD CPUs. */
  public final float netOverheadUs = table.single("tuning.net-overhead");

  public final float netOverheadAmdUs = table.single("tuning.net-overhead-amd");

  public final int simpleNetPosts = table.integer("tuning.simple-net-posts");

  /** Time that a head of CollNetDirect takes for each GPU of its node. */
  public final double collNetDirectGpuUs = table.number("tuning.collnet-direct-gpu-latency");

  /** PAT: divisor of the latency of the network, and time for each rank. */
  public final double patNetDivisor = table.number("tuning.pat-net-divisor");

  public final double patRankUs = table.number("tuning.pat-rank-latency");

  /** Bytes for each channel and rank from which a ring over several nodes starts more slowly. */
  public final int ringPlateauBytes = table.integer("tuning.ring-plateau-bytes");

  public final int callsPerBatch = table.integer("tuning.calls-per-batch");

  /** Most GPUs of a node that an algorithm serves. */
  public final int collNetMaxGpus = table.integer("tuning.collnet-max-gpus");

  public final int nvlsMaxGpus = table.integer("tuning.nvls-max-gpus");

  /**
   * Ranks of the longest ring that is used for 8-bit floating point numbers without penalty, and
   * the factor of the time of longer rings.
   */
  public final int float8MaxRing = table.integer("tuning.float8-max-ring");

  public final float float8RingPenalty = table.single("tuning.float8-ring-penalty");

  /** Times from here on count as none. */
  public final float tooLongUs = table.single("tuning.too-long");

  TuningRules(RuleTable table) {
    super(table);
    for (Collective collective : Collective.values()) {
      String name = collective.name().toLowerCase(Locale.ROOT).replace('_', '-');
      algorithms.put(collective, table.words("tuning.algorithms." + name));
    }
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

  /** The entry of a row by compute capability for a number of nodes: one, two or more. */
  public static double atScale(BySm<double[]> rows, int sm, int nNodes) {
    double[] row = rows.at(sm);
    return row[Math.min(nNodes, row.length) - 1];
  }

  /** The most that LL reaches on all channels together; the CPU decides between nodes. */
  public double llMax(int minSm, boolean amd, int nNodes) {
    int betweenNodes = amd ? llMaxRowAmd : llMaxRowOtherCpu;
    return atScale(llMax, nNodes == 1 ? minSm : betweenNodes, nNodes);
  }

  /** The part of its bandwidth that a tree reaches at a size. */
  public float treeCorrection(Protocol protocol, long sizeBytes) {
    double[] row = Objects.requireNonNull(treeCorrection.get(protocol));
    int place = Long.SIZE - 1 - Long.numberOfLeadingZeros(sizeBytes) - treeCorrectionFirstLog2;
    return place >= 0 && place < row.length ? (float) row[place] : 1;
  }
}
