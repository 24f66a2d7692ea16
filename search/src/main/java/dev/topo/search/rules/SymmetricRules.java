package dev.topo.search.rules;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.DataType;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.model.operation.SymmetricKernel;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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

  /** Which pairs of GPUs of a node must have direct access. */
  public enum PeerAccess {
    /** All GPUs between which CUDA allows it, whatever the distance. */
    ANY,
    /** They must not be farther apart than NCCL_P2P_LEVEL allows. */
    P2P_LEVEL,
    /** Kernels need NVLink between all of them, without a third GPU between. */
    NVLINK
  }

  public final PeerAccess peerAccess = table.one("symmetric.peer-access", PeerAccess.class);

  /** The fewest ranks whose kernels use NVLink multicast. */
  public final int multicastLeastRanks = table.integer("symmetric.multicast-least-ranks");

  /** The reductions that the kernels compute. */
  public final List<ReductionOperator> operators =
      table.words("symmetric.operators").stream()
          .map(label -> ReductionOperator.ofLabel(label).orElseThrow(() -> unknown(label)))
          .toList();

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
   * Compute capability from which the copy engine gathers more than NCCL_SYM_CE_THRESHOLD elements
   * of each rank, whatever the policy is.
   */
  public final int copyEngineGathersFromSm = table.limit("copy-engine.gathers-from-sm");

  /** Factor of that number, unless it is stated, where kernels use TMA and no multicast. */
  public final int copyEngineBeyondTma = table.integer("copy-engine.gathers-beyond-tma");

  /** True if the version estimates by which kind of copies the copy engine is faster. */
  public final boolean estimatesCopies = table.isFirst("copy-engine.model", "known", "none");

  /** The numbers of that estimate. */
  public final CopyRules copies = new CopyRules(table);

  /** True if NCCL_CTA_POLICY may have names, with {@code |} between them. */
  public final boolean policyNames = table.flag("copy-engine.policy-names");

  /** True if NCCL_LOCAL_REGISTER=0 prevents windows. */
  public final boolean windowsAreRegistrations = table.flag("symmetric.windows-are-registrations");

  /** True if they run calls that are grouped with others. */
  public final boolean inGroups = table.flag("symmetric.in-groups");

  /** True if only as many channels run as there are parts of whole cells; else all blocks run. */
  public final boolean channelsByCells = table.flag("symmetric.channels-by-cells");

  /** The kernels in NCCL's order, in which the first of equals wins. */
  public final List<SymmetricKernel> kernels =
      table.words("symmetric.kernels").stream()
          .map(label -> SymmetricKernel.ofLabel(label).orElseThrow(() -> unknown(label)))
          .toList();

  /** The types whose sum the kernels compute. */
  public final List<DataType> sumTypes =
      table.words("symmetric.sum-types").stream()
          .map(label -> DataType.ofLabel(label).orElseThrow(() -> unknown(label)))
          .toList();

  /** Compute capability from which the switch reduces 8-bit floating point numbers. */
  public final int float8InSwitchSm = table.integer("symmetric.float8-in-switch-sm");

  /** Bytes of all ranks from which there is no kernel with LL, and none at all. */
  public final long llBelowBytes = table.longInteger("symmetric.ll-below-bytes");

  public final long belowBytes = table.longInteger("symmetric.below-bytes");

  /** Bytes of the cells that a call is divided into. */
  public final int cellBytes = table.integer("symmetric.cell-bytes");

  /** True if a kernel takes an even number of blocks, or one. */
  public final boolean evenBlocks = table.flag("symmetric.even-blocks");

  /** The numbers of kernels with TMA; without meaning where {@link #kernels} has none. */
  public final TmaRules tma = new TmaRules(table);

  /** Where NCCL models AllGather by times that were fitted to measurements. */
  public final Optional<FittedRules> fitted = FittedRules.of(table);

  /** True if the choice of kernels was compared with that of the version's own code. */
  public final boolean compared = table.isFirst("symmetric.evidence", "compared", "source");

  public final int maxBlocks = table.integer("symmetric.max-blocks");

  /** Warps of each block. */
  public final int warps = table.integer("symmetric.warps");

  /** How many times the time on most blocks fewer blocks may take. */
  public final double tolerance = table.number("symmetric.tolerance");

  /** The part of its time by which each block makes a kernel less attractive. */
  public final float blockPenalty = table.single("symmetric.block-penalty");

  /** Bytes that LL moves for each byte of all ranks. */
  public final double llTraffic = table.number("symmetric.ll-traffic");

  /** Factor of the bandwidth of a block that stores LL lines by multicast. */
  public final double llMulticastGain = table.number("symmetric.ll-multicast-gain");

  /** The part of the ranks by which multicast multiplies the bandwidth of a block. */
  public final double multicastShare = table.number("symmetric.multicast-share");

  /** Bytes of a kernel's arguments: most, those that do not depend on calls, those of a call. */
  public final int argumentBytes = table.integer("symmetric.argument-bytes");

  public final int fixedArgumentBytes = table.integer("symmetric.argument-bytes-fixed");
  public final int callArgumentBytes = table.integer("symmetric.argument-bytes-call");

  /** The operations of the copy engine; empty where the version does not use it. */
  public final List<Operation> copyEngineOperations =
      table.words("copy-engine.operations").stream()
          .filter(name -> !name.equals("none"))
          .map(name -> Operation.ofName(name).orElseThrow(() -> unknown(name)))
          .toList();

  /** The value of NCCL_CTA_POLICY that allows the copy engine. */
  public final int copyEnginePolicy = table.integer("copy-engine.cta-policy");

  /** The oldest CUDA version whose driver the copy engine needs. */
  public final String copyEngineCuda = table.text("copy-engine.cuda");

  SymmetricRules(RuleTable table) {
    super(table);
  }

  private static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException("symmetric kernels: unknown name " + name);
  }

  /** True if the kernels with TMA are those of {@link #kernels}. */
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

  /** The bandwidth that all blocks together approach. */
  public double peakGiBps(SymmetricKernel kernel, int sm) {
    if (kernel == SymmetricKernel.ALL_GATHER_TMA) {
      return tma.storesPeakGiBps;
    }
    return kernel == SymmetricKernel.ALL_REDUCE_MULTICAST
        ? peakInSwitchGiBps.at(sm)
        : at(peakGiBps, kernel, sm);
  }

  /** Most blocks of all ranks together that use multicast without LL. */
  public int multicastBlocks(int sm) {
    return multicastBlocks.at(sm).intValue();
  }
}
