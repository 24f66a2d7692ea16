package dev.topo.model.operation;

import java.util.Arrays;
import java.util.Optional;

/**
 * The kernels with which NCCL accesses the symmetric windows of all ranks directly, without
 * channels of an algorithm ({@code ncclSymkKernelId}, {@code nccl:src/include/sym_kernels.h}).
 */
public enum SymmetricKernel {
  /** Every rank gets all data by LL and reduces it. */
  ALL_REDUCE_LL("AllReduce_AGxLL_R", Collective.ALL_REDUCE, true, Multicast.NONE),
  /** The kernel before, with data sent once to all ranks. */
  ALL_REDUCE_LL_MULTICAST("AllReduce_AGxLLMC_R", Collective.ALL_REDUCE, true, Multicast.STORES),
  /** Every rank reads and reduces its part and writes it to all ranks. */
  ALL_REDUCE_LOAD_STORE("AllReduce_RSxLD_AGxST", Collective.ALL_REDUCE, false, Multicast.NONE),
  /** The switch reduces what a rank reads and copies what it writes. */
  ALL_REDUCE_MULTICAST(
      "AllReduce_RSxLDMC_AGxSTMC", Collective.ALL_REDUCE, false, Multicast.REDUCTIONS),
  /** Every rank sends its data by LL. */
  ALL_GATHER_LL("AllGather_LL", Collective.ALL_GATHER, true, Multicast.NONE),
  /** The kernel before, with data sent once to all ranks. */
  ALL_GATHER_LL_MULTICAST("AllGather_LLMC", Collective.ALL_GATHER, true, Multicast.STORES),
  /** Every rank writes its data to all ranks. */
  ALL_GATHER_STORE("AllGather_ST", Collective.ALL_GATHER, false, Multicast.NONE),
  /** The switch copies what a rank writes. */
  ALL_GATHER_MULTICAST("AllGather_STMC", Collective.ALL_GATHER, false, Multicast.STORES),
  /** Every rank gets its part from all ranks by LL and reduces it. */
  REDUCE_SCATTER_LL("ReduceScatter_LL", Collective.REDUCE_SCATTER, true, Multicast.NONE),
  /** Every rank reads and reduces its part. */
  REDUCE_SCATTER_LOAD("ReduceScatter_LD", Collective.REDUCE_SCATTER, false, Multicast.NONE),
  /** The switch reduces what a rank reads. */
  REDUCE_SCATTER_MULTICAST(
      "ReduceScatter_LDMC", Collective.REDUCE_SCATTER, false, Multicast.REDUCTIONS);

  /** The work of the NVLink switch for a kernel. */
  public enum Multicast {
    NONE,
    /** Copy what is stored to all ranks. */
    STORES,
    /** Reduce what is loaded from all ranks. */
    REDUCTIONS
  }

  private final String label;
  private final Collective collective;
  private final boolean lowLatency;
  private final Multicast multicast;

  SymmetricKernel(String label, Collective collective, boolean lowLatency, Multicast multicast) {
    this.label = label;
    this.collective = collective;
    this.lowLatency = lowLatency;
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
    return lowLatency;
  }

  public Multicast multicast() {
    return multicast;
  }

  /** The kernel with this {@link #label}, spelled exactly so, as NCCL compares it. */
  public static Optional<SymmetricKernel> ofLabel(String label) {
    return Arrays.stream(values()).filter(kernel -> kernel.label.equals(label)).findFirst();
  }
}
