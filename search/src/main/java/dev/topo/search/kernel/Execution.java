package dev.topo.search.kernel;

import dev.topo.model.operation.SymmetricKernel;
import java.util.Optional;

/** What runs a call: an algorithm, a kernel or copy engines. */
public sealed interface Execution {
  /**
   * An algorithm, or sends and receives, as with plain buffers: the decision of {@link
   * dev.topo.search.tuning.Tuner} applies.
   */
  record Ordinary() implements Execution {}

  /**
   * A kernel for symmetric windows.
   *
   * @param kernel the kernel
   * @param blocks number of blocks in NCCL's model
   * @param channels blocks that get a part of the data, which NCCL logs as channels
   * @param threads threads of each block
   * @param timeUs time of NCCL's model in microseconds, not a prediction of real hardware
   * @param calls number of calls of the group that one launch runs
   */
  record Kernel(
      SymmetricKernel kernel, int blocks, int channels, int threads, float timeUs, int calls)
      implements Execution {}

  /**
   * Copies by the GPU's copy engines between two barriers, without blocks and channels.
   *
   * @param cuda the oldest CUDA version whose driver supports it; with an older one the execution
   *     is {@link Ordinary} or {@link Kernel}
   * @param copies NCCL's estimate of the copies, if the version has one
   */
  record CopyEngine(String cuda, Optional<CopyEstimate> copies) implements Execution {}

  /**
   * NCCL returns an error.
   *
   * @param reason the reason as text
   */
  record Refused(String reason) implements Execution {}

  /**
   * The rules of this NCCL version are unknown.
   *
   * @param reason the reason as text
   */
  record NotKnown(String reason) implements Execution {}
}
