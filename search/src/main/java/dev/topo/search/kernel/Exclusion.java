package dev.topo.search.kernel;

import java.util.Optional;

/**
 * A condition that excludes the copy engine, all symmetric kernels, or one of them.
 *
 * @param condition the condition
 * @param text the condition in words, with its values for this call
 * @param setting the setting that removes it, as {@code NAME=VALUE}, if there is one
 */
public record Exclusion(Condition condition, String text, Optional<String> setting) {
  /** The conditions, in the order in which they are listed. */
  public enum Condition {
    /** The version has no symmetric kernels. */
    VERSION,
    EMPTY,
    /** A communicator of one rank only copies. */
    ONE_RANK,
    /** NCCL refuses reductions of 8-bit floating point numbers on these GPUs. */
    FLOAT8,
    /** The buffers are not in symmetric windows. */
    BUFFERS,
    /** NCCL_WIN_ENABLE=0. */
    WINDOWS_OFF,
    /** NCCL_CUMEM_ENABLE=0. */
    CUMEM_OFF,
    /** GPUs of the node cannot access each other. */
    PEER_ACCESS,
    /** There are several nodes. */
    NODES,
    /** The CTA policy does not allow the copy engine, or prefers it. */
    CTA_POLICY,
    /** Neither copy engine nor kernels support this operation. */
    OPERATION,
    /** There is no kernel for this reduction operator. */
    OPERATOR,
    /** There is no kernel for this data type. */
    DATA_TYPE,
    SIZE,
    /** The copy engine runs AllGather of this size. */
    COPY_ENGINE,
    /** The algorithm would not use LL; the version then does not use kernels with LL. */
    LL_ONLY,
    /** NCCL_SYM_KERNEL, or from 2.31 on NCCL_ALGO, excludes the kernel. */
    NAMED,
    /** The kernel uses NVLink multicast, which is not available. */
    MULTICAST,
    /** The kernel uses TMA, which is not available or needs larger calls. */
    TMA,
    /** The switch cannot reduce this data type. */
    IN_SWITCH,
    /** LL is for single calls only. */
    GROUP,
    /** Another kernel is faster in NCCL's model. */
    SLOWER
  }

  static Exclusion of(Condition condition, String text) {
    return new Exclusion(condition, text, Optional.empty());
  }

  static Exclusion of(Condition condition, String text, String setting) {
    return new Exclusion(condition, text, Optional.of(setting));
  }
}
