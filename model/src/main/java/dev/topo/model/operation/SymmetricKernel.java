package dev.topo.model.operation;

import dev.topo.model.Labels;
import java.util.Optional;

/**
 * The kernels with which NCCL accesses the symmetric windows of all ranks directly, without
 * channels of an algorithm ({@code ncclSymkKernelId}, {@code nccl:src/include/sym_kernels.h}).
 */
public enum SymmetricKernel {
  /** Every rank gets all data by LL and reduces it. */
  ALL_REDUCE_LL("AllReduce_AGxLL_R", Collective.ALL_REDUCE, Unit.LL, Multicast.NONE),
  /** As {@link #ALL_REDUCE_LL}, with one multicast store to all ranks. */
  ALL_REDUCE_LL_MULTICAST("AllReduce_AGxLLMC_R", Collective.ALL_REDUCE, Unit.LL, Multicast.STORES),
  /** Every rank reads and reduces its part and writes it to all ranks. */
  ALL_REDUCE_LOAD_STORE("AllReduce_RSxLD_AGxST", Collective.ALL_REDUCE, Unit.WORD, Multicast.NONE),
  /** As {@link #ALL_REDUCE_LOAD_STORE}, with bulk copies. */
  ALL_REDUCE_TMA("AllReduce_RSxTmaLD_AGxTmaST", Collective.ALL_REDUCE, Unit.BULK, Multicast.NONE),
  /**
   * The switch reduces the data that a rank reads, and copies the data that it writes to all ranks.
   */
  ALL_REDUCE_MULTICAST(
      "AllReduce_RSxLDMC_AGxSTMC", Collective.ALL_REDUCE, Unit.WORD, Multicast.REDUCTIONS),
  /** Every rank sends its data by LL. */
  ALL_GATHER_LL("AllGather_LL", Collective.ALL_GATHER, Unit.LL, Multicast.NONE),
  /** As {@link #ALL_GATHER_LL}, with one multicast store to all ranks. */
  ALL_GATHER_LL_MULTICAST("AllGather_LLMC", Collective.ALL_GATHER, Unit.LL, Multicast.STORES),
  /** Every rank writes its data to all ranks. */
  ALL_GATHER_STORE("AllGather_ST", Collective.ALL_GATHER, Unit.WORD, Multicast.NONE),
  /** As {@link #ALL_GATHER_STORE}, with bulk copies. */
  ALL_GATHER_TMA("AllGather_TmaST", Collective.ALL_GATHER, Unit.BULK, Multicast.NONE),
  /** The switch copies the data that a rank writes to all ranks. */
  ALL_GATHER_MULTICAST("AllGather_STMC", Collective.ALL_GATHER, Unit.WORD, Multicast.STORES),
  /** As {@link #ALL_GATHER_MULTICAST}, with bulk copies. */
  ALL_GATHER_TMA_MULTICAST("AllGather_TmaSTMC", Collective.ALL_GATHER, Unit.BULK, Multicast.STORES),
  /** Every rank gets its part from all ranks by LL and reduces it. */
  REDUCE_SCATTER_LL("ReduceScatter_LL", Collective.REDUCE_SCATTER, Unit.LL, Multicast.NONE),
  /** Every rank reads and reduces its part. */
  REDUCE_SCATTER_LOAD("ReduceScatter_LD", Collective.REDUCE_SCATTER, Unit.WORD, Multicast.NONE),
  /** As {@link #REDUCE_SCATTER_LOAD}, with bulk copies. */
  REDUCE_SCATTER_TMA("ReduceScatter_TmaLD", Collective.REDUCE_SCATTER, Unit.BULK, Multicast.NONE),
  /** The switch reduces the data that a rank reads. */
  REDUCE_SCATTER_MULTICAST(
      "ReduceScatter_LDMC", Collective.REDUCE_SCATTER, Unit.WORD, Multicast.REDUCTIONS);

  /** The unit in which a kernel moves data. */
  private enum Unit {
    /** A line of LL, which has flags beside the data. */
    LL,
    /** A load or a store of a thread. */
    WORD,
    /** A bulk copy of the tensor memory accelerator (TMA). */
    BULK
  }

  /** The use of NVLink multicast by a kernel. */
  public enum Multicast {
    NONE,
    /** The switch copies stored data to all ranks. */
    STORES,
    /** The switch reduces the data loaded from all ranks. */
    REDUCTIONS
  }

  private final String label;
  private final Collective collective;
  private final Unit unit;
  private final Multicast multicast;

  SymmetricKernel(String label, Collective collective, Unit unit, Multicast multicast) {
    this.label = label;
    this.collective = collective;
    this.unit = unit;
    this.multicast = multicast;
  }

  /** NCCL's name, as in its log and in NCCL_SYM_KERNEL. */
  public String label() {
    return label;
  }

  public Collective collective() {
    return collective;
  }

  /** True if flags travel with the data, as with protocol LL. */
  public boolean isLowLatency() {
    return unit == Unit.LL;
  }

  /** True if bulk copies of the TMA move the data. */
  public boolean usesTma() {
    return unit == Unit.BULK;
  }

  public Multicast multicast() {
    return multicast;
  }

  /** The kernel with this {@link #label}, case-sensitive, as in NCCL. */
  public static Optional<SymmetricKernel> ofLabel(String label) {
    return Labels.exact(values(), SymmetricKernel::label, label);
  }
}
