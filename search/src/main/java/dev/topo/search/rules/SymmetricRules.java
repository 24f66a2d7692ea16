package dev.topo.search.rules;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.model.operation.SymmetricKernel.Multicast;
import dev.topo.search.rules.BySm.SmSet;
import dev.topo.search.rules.RuleTable.Rules;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Numbers by which NCCL chooses kernels for buffers in symmetric windows ({@code
 * nccl:src/sym_kernels.cc}, {@code nccl:src/scheduler/symmetric_sched.cc}) and the copy engine
 * ({@code nccl:src/ce_coll.cc}). NCCL's authors measured the constants of the model. The numbers of
 * a version without symmetric kernels have no meaning.
 */
public final class SymmetricRules extends Rules {
  private final Map<Collective, BySm<Double>> latency =
      table.numbersByCollective("symmetric.latency-us.");
  private final Map<Collective, BySm<Double>> latencyLl =
      table.numbersByCollective("symmetric.latency-ll-us.");
  private final Map<Collective, BySm<Double>> blockGiBps =
      table.numbersByCollective("symmetric.block-gibps.");
  private final Map<Collective, BySm<Double>> peakGiBps =
      table.numbersByCollective("symmetric.peak-gibps.");
  private final BySm<Double> peakInSwitchGiBps =
      table.numbersBySm("symmetric.peak-in-switch-gibps");
  private final BySm<Double> multicastBlocks = table.numbersBySm("symmetric.multicast-blocks");

  /** True if the version has symmetric windows and kernels for them: from 2.27 on. */
  public final boolean hasKernels = table.isFirst("symmetric.rules", "known", "none");

  /** The access between GPUs of a node that symmetric kernels require. */
  public enum PeerAccess {
    /** CUDA peer access between all of them, at any distance. */
    ANY,
    /** Also a distance within NCCL_P2P_LEVEL. */
    P2P_LEVEL,
    /** Kernels need NVLink between all of them, without a third GPU between. */
    NVLINK
  }

  public final PeerAccess peerAccess = table.one("symmetric.peer-access", PeerAccess.class);

  /** Minimum number of ranks for NVLink multicast. */
  public final int multicastLeastRanks = table.integer("symmetric.multicast-least-ranks");

  /** The reductions that the kernels compute. */
  public final List<ReductionOperator> operators =
      table.named("symmetric.operators", ReductionOperator::ofLabel);

  /** True if an algorithm runs a call that no kernel can run; else NCCL fails. */
  public final boolean fallsBack =
      table.isFirst("symmetric.without-kernel", "algorithm", "refused");

  /** True if a kernel with LL runs only where the algorithm would use LL. */
  public final boolean llOnlyForLl = table.flag("symmetric.ll-only-for-ll");

  /** True if the version has kernels and copies for several nodes, which are not modelled. */
  public final boolean acrossNodes = table.flag("symmetric.across-nodes");

  /** Compute capability from which NCCL_SYM_TMA_ENABLE adds kernels with TMA. */
  public final int tmaSm = table.limit("symmetric.tma-sm");

  /**
   * Compute capability from which the copy engine runs AllGather above NCCL_SYM_CE_THRESHOLD
   * elements per rank, whatever the CTA policy.
   */
  public final int copyEngineGathersFromSm = table.limit("copy-engine.gathers-from-sm");

  /** Factor of that threshold, unless the user sets it, if kernels use TMA and no multicast. */
  public final int copyEngineBeyondTma = table.integer("copy-engine.gathers-beyond-tma");

  /** True if the version estimates which kind of copies is faster. */
  public final boolean estimatesCopies = table.isFirst("copy-engine.model", "known", "none");

  /** The numbers of that estimate. */
  public final CopyRules copies = new CopyRules(table);

  /** True if NCCL_CTA_POLICY may have names, with {@code |} between them. */
  public final boolean policyNames = table.flag("copy-engine.policy-names");

  /** True if NCCL_LOCAL_REGISTER=0 prevents windows. */
  public final boolean windowsAreRegistrations = table.flag("symmetric.windows-are-registrations");

  /** True if symmetric kernels run calls that are grouped with others. */
  public final boolean inGroups = table.flag("symmetric.in-groups");

  /** True if only as many channels run as get whole cells; else all blocks run. */
  public final boolean channelsByCells = table.flag("symmetric.channels-by-cells");

  /** The kernels in NCCL's order, which decides between equal times. */
  public final List<SymmetricKernel> kernels =
      table.named("symmetric.kernels", SymmetricKernel::ofLabel);

  /** The types whose sum the kernels compute. */
  public final List<DataType> sumTypes = table.named("symmetric.sum-types", DataType::ofLabel);

  /** Compute capability from which the switch reduces 8-bit floating point numbers. */
  public final int float8InSwitchSm = table.integer("symmetric.float8-in-switch-sm");

  /** Total bytes of all ranks from which no kernel with LL is used, and no kernel at all. */
  public final long llBelowBytes = table.longInteger("symmetric.ll-below-bytes");

  public final long belowBytes = table.longInteger("symmetric.below-bytes");

  /** Bytes of the cells that a call is divided into. */
  public final int cellBytes = table.integer("symmetric.cell-bytes");

  /** True if a kernel uses an even number of blocks, or one. */
  public final boolean evenBlocks = table.flag("symmetric.even-blocks");

  /** The numbers of kernels with TMA; meaningless where {@link #kernels} has none. */
  public final TmaRules tma = new TmaRules(table);

  /** NCCL's model of AllGather fitted to measurements; empty where the version has none. */
  public final Optional<FittedRules> fitted = FittedRules.of(table);

  /** True if the choice of kernels was compared with that of the version's own code. */
  public final boolean compared = table.isFirst("symmetric.evidence", "compared", "source");

  public final int maxBlocks = table.integer("symmetric.max-blocks");

  /** Warps of each block. */
  public final int warps = table.integer("symmetric.warps");

  /** Fewer blocks may take this multiple of the time with the maximum number of blocks. */
  public final double tolerance = table.number("symmetric.tolerance");

  /** Penalty of each block, as a fraction of the time of a kernel. */
  public final float blockPenalty = table.single("symmetric.block-penalty");

  /** Bytes that LL moves for each byte of all ranks. */
  public final double llTraffic = table.number("symmetric.ll-traffic");

  /** Factor of the bandwidth of a block that stores LL lines by multicast. */
  public final double llMulticastGain = table.number("symmetric.ll-multicast-gain");

  /** Multicast multiplies the bandwidth of a block by this share of the number of ranks. */
  public final double multicastShare = table.number("symmetric.multicast-share");

  /** Bytes of a kernel's arguments: the maximum, the fixed part, and the part of each call. */
  public final int argumentBytes = table.integer("symmetric.argument-bytes");

  public final int fixedArgumentBytes = table.integer("symmetric.argument-bytes-fixed");
  public final int callArgumentBytes = table.integer("symmetric.argument-bytes-call");

  /** The operations of the copy engine; empty where the version does not use it. */
  public final List<Operation> copyEngineOperations =
      table.named("copy-engine.operations", Operation::ofName);

  /** The value of NCCL_CTA_POLICY that allows the copy engine. */
  public final int copyEnginePolicy = table.integer("copy-engine.cta-policy");

  /** The oldest CUDA version whose driver supports the copy engine. */
  public final String copyEngineCuda = table.text("copy-engine.cuda");

  SymmetricRules(RuleTable table) {
    super(table);
  }

  /** True if {@link #kernels} has kernels with TMA. */
  public boolean hasTmaKernels() {
    return kernels.stream().anyMatch(SymmetricKernel::usesTma);
  }

  /** The time of a kernel without data, in microseconds. */
  public double latencyUs(SymmetricKernel kernel, int sm) {
    return at(kernel.isLowLatency() ? latencyLl : latency, kernel, sm) + tma.latencyUs(kernel);
  }

  public double blockGiBps(SymmetricKernel kernel, int sm) {
    return at(blockGiBps, kernel, sm);
  }

  private static double at(Map<Collective, BySm<Double>> values, SymmetricKernel kernel, int sm) {
    return Objects.requireNonNull(values.get(kernel.collective())).at(sm);
  }

  /** The total bandwidth in GiB/s that the blocks approach. */
  public double peakGiBps(SymmetricKernel kernel, int sm) {
    if (kernel == SymmetricKernel.ALL_GATHER_TMA) {
      return tma.storesPeakGiBps;
    }
    return kernel == SymmetricKernel.ALL_REDUCE_MULTICAST
        ? peakInSwitchGiBps.at(sm)
        : at(peakGiBps, kernel, sm);
  }

  /** Maximum total number of blocks of all ranks with multicast and without LL. */
  public int multicastBlocks(int sm) {
    return multicastBlocks.at(sm).intValue();
  }

  /**
   * Numbers by which NCCL estimates AllGather by copy engines ({@code ncclCeAgLatencyUs}, {@code
   * nccl:src/tuning/ce_model.cc}), in single precision like NCCL.
   */
  public static final class CopyRules extends Rules {
    /** The time without data in microseconds: of a call, and of each rank. */
    private record Floor(BySm<Double> us, BySm<Double> rankUs) {}

    private final Floor unicast = floor("unicast");
    private final Floor multicast = floor("multicast");
    private final Floor unicastInGraph = floor("graph-unicast");
    private final Floor multicastInGraph = floor("graph-multicast");
    private final int syncCopies = table.integer("copy-engine.sync-copies");
    private final long syncBytes = table.longInteger("copy-engine.sync-bytes");
    private final BySm<Double> linkGBps = table.numbersBySm("copy-engine.link-gbps");

    /** Bandwidth of two copy engines within a GPU, or to memory that is not coherent. */
    public final float hostGBps = table.single("copy-engine.host-gbps");

    /** The first CUDA version whose driver multicasts at the speed of the links. */
    public final String hostLimitBeforeCuda = table.text("copy-engine.host-limit-before-cuda");

    CopyRules(RuleTable table) {
      super(table);
    }

    /**
     * The time without data.
     *
     * @param inGraph whether the copies are in a CUDA graph
     */
    public float floorUs(boolean isMulticast, boolean inGraph, int nRanks, int sm) {
      Floor floor =
          isMulticast ? inGraph ? multicastInGraph : multicast : inGraph ? unicastInGraph : unicast;
      return floor.us.at(sm).floatValue() + floor.rankUs.at(sm).floatValue() * nRanks;
    }

    private Floor floor(String name) {
      return new Floor(
          table.numbersBySm("copy-engine." + name + "-us"),
          table.numbersBySm("copy-engine." + name + "-rank-us"));
    }

    /**
     * Number of synchronizations of the ranks between the copies of a CUDA graph.
     *
     * @param copies copies of a rank, of {@code bytes} each
     */
    public int syncs(int copies, long bytes) {
      if (copies <= syncCopies || bytes * copies < syncBytes) {
        return 0;
      }
      int parts = (copies + syncCopies - 1) / syncCopies;
      return parts - 1 + (parts % 2 == 0 ? 1 : 0);
    }

    public float linkGBps(int sm) {
      return linkGBps.at(sm).floatValue();
    }
  }

  /**
   * Numbers of the time of AllGather kernels on Blackwell GPUs, fitted to measurements by NCCL's
   * authors ({@code ncclSymkLsaA2AParameterTable} and {@code ncclSymkLsaA2AModel}, {@code
   * nccl:src/tuning/sym_model/lsa_a2a.cc}). Bandwidths are in GB/s.
   */
  public static final class FittedRules extends Rules {
    /**
     * The numbers of a kernel.
     *
     * @param latencyUs time without data of one rank
     * @param rankLatencyUs additional time of each further rank
     * @param lineGBps bandwidth at which a block writes lines of LL; 0 for kernels without them
     * @param blockGBps bandwidth at which a block sends
     * @param peakGBps bandwidth at which all blocks together send
     */
    public record Row(
        double latencyUs,
        double rankLatencyUs,
        double lineGBps,
        double blockGBps,
        double peakGBps) {}

    private static final String ROWS = "symmetric.fitted.";

    private final SmSet sms = table.smSet("symmetric.fitted-sm");
    private final Map<SymmetricKernel, Row> rows = new EnumMap<>(SymmetricKernel.class);
    private final TreeMap<Integer, Double> lowLatencyBlocks = new TreeMap<>();
    private final int lowLatencyBlocksAboveRanks =
        table.integer("symmetric.fitted-ll-blocks-above-ranks");
    private final double multicastAlone = table.number("symmetric.fitted-tma-multicast-alone");

    /** Penalty of each block, as a fraction of the time of a kernel. */
    public final float blockPenalty = table.single("symmetric.fitted-penalty");

    /** Blocks up to which latency and transfer of LL by multicast overlap. */
    public final double overlappingBlocks = table.number("symmetric.fitted-ll-multicast-blocks");

    /** The GPUs on which some numbers of blocks of AllGather_TmaST are slower. */
    public final SmSet unevenSms = table.smSet("symmetric.fitted-tma-sm");

    /** The peak of AllGather_TmaST on these GPUs with fewer blocks than ranks. */
    public final double fewBlocksGBps = table.number("symmetric.fitted-tma-few-blocks-gbps");

    /**
     * The first number of blocks with a lower peak on these GPUs, and the distance between such
     * numbers.
     */
    private final double[] troughBlocks = table.numbers("symmetric.fitted-tma-trough-blocks");

    /** The peak with these numbers of blocks. */
    public final double troughGBps = table.number("symmetric.fitted-tma-trough-gbps");

    /** Additional time with these numbers of blocks. */
    public final double troughUs = table.number("symmetric.fitted-tma-trough-us");

    private FittedRules(RuleTable table) {
      super(table);
      table
          .group(ROWS)
          .keySet()
          .forEach(label -> rows.put(SymmetricKernel.ofLabel(label).orElseThrow(), row(label)));
      for (String word : table.words("symmetric.fitted-ll-blocks")) {
        String[] point = word.split(":", 2);
        lowLatencyBlocks.put(Integer.valueOf(point[0]), Double.valueOf(point[1]));
      }
    }

    /** The numbers of a version; empty where it has none. */
    static Optional<FittedRules> of(RuleTable table) {
      return table.text("symmetric.fitted-sm").equals("none")
          ? Optional.empty()
          : Optional.of(new FittedRules(table));
    }

    private Row row(String label) {
      double[] numbers = table.numbers(ROWS + label);
      return new Row(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    }

    /** The numbers of a kernel on such GPUs; empty where NCCL has none. */
    public Optional<Row> row(SymmetricKernel kernel, int sm) {
      return sms.contains(sm) ? Optional.ofNullable(rows.get(kernel)) : Optional.empty();
    }

    /** The fraction of its bandwidth that each of {@code blocks} blocks reaches. */
    public double blockShare(SymmetricKernel kernel, int nRanks, int blocks) {
      if (kernel == SymmetricKernel.ALL_GATHER_TMA_MULTICAST && blocks == 1) {
        return multicastAlone;
      }
      Map.Entry<Integer, Double> below = lowLatencyBlocks.lowerEntry(blocks);
      Map.Entry<Integer, Double> from = lowLatencyBlocks.ceilingEntry(blocks);
      if (kernel != SymmetricKernel.ALL_GATHER_LL
          || nRanks <= lowLatencyBlocksAboveRanks
          || below == null
          || from == null) {
        return 1;
      }
      double part =
          (log2(blocks) - log2(below.getKey())) / (log2(from.getKey()) - log2(below.getKey()));
      return below.getValue() + part * (from.getValue() - below.getValue());
    }

    /**
     * True if AllGather_TmaST has a lower peak with this number of blocks on {@link #unevenSms}.
     */
    public boolean isTrough(int blocks) {
      return blocks >= troughBlocks[0] && (blocks - troughBlocks[0]) % troughBlocks[1] == 0;
    }

    private static double log2(int blocks) {
      return Math.log(blocks) / Math.log(2);
    }
  }

  /**
   * Numbers of the symmetric kernels that use the tensor memory accelerator of Blackwell ({@code
   * queryModel_lsa}, {@code nccl:src/tuning/sym_model.cc}; {@code ncclSymkTmaDeepEligible}, {@code
   * nccl:src/sym_kernels.cc}).
   */
  public static final class TmaRules extends Rules {
    private final double latencyUs = table.number("symmetric.tma-latency-us");
    private final double storesLatencyUs = table.number("symmetric.tma-stores-latency-us");
    private final double gain = table.number("symmetric.tma-gain");
    private final long multicastBytes = table.longInteger("symmetric.tma-multicast-bytes");
    private final Map<Collective, Long> blockBytes =
        List.of(Collective.ALL_GATHER, Collective.ALL_REDUCE, Collective.REDUCE_SCATTER).stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    collective -> collective,
                    collective ->
                        table.longInteger(
                            "symmetric.tma-block-bytes." + RuleTable.word(collective))));

    /** The bandwidth that the blocks of AllGather_TmaST approach. */
    final double storesPeakGiBps = table.number("symmetric.tma-stores-peak-gibps");

    /** The part of the bandwidth of a block without TMA that multicast of bulk copies reaches. */
    public final double multicastShare = table.number("symmetric.tma-multicast-share");

    TmaRules(RuleTable table) {
      super(table);
    }

    /** Latency in microseconds in addition to that of the kernel without TMA. */
    double latencyUs(SymmetricKernel kernel) {
      if (!kernel.usesTma()) {
        return 0;
      }
      return kernel == SymmetricKernel.ALL_GATHER_TMA ? latencyUs + storesLatencyUs : latencyUs;
    }

    /** Factor of the peak bandwidth of a kernel. */
    public double gain(SymmetricKernel kernel) {
      return kernel.usesTma() && kernel.multicast() == Multicast.NONE ? gain : 1;
    }

    /** The minimum bytes of a call with which {@code blocks} blocks copy in bulk. */
    public long leastBytes(SymmetricKernel kernel, int nRanks, int blocks) {
      if (kernel.multicast() != Multicast.NONE) {
        return multicastBytes;
      }
      int parts = kernel.collective() == Collective.ALL_GATHER ? blocks : nRanks * blocks;
      return Objects.requireNonNull(blockBytes.get(kernel.collective())) * parts;
    }
  }
}
