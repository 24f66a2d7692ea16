package dev.topo.search.kernel;

import dev.topo.model.operation.SymmetricKernel;
import java.util.Optional;

/** By what NCCL runs a call. */
public sealed interface Execution {
  /**
   * By an algorithm, or by sends and receives: as calls with other buffers. What {@link
   * dev.topo.search.tuning.Tuner} decides holds.
   */
  record Ordinary() implements Execution {}

  /**
   * By a kernel for symmetric windows.
   *
   * @param kernel which one
   * @param blocks blocks that NCCL's model takes
   * @param channels blocks that get a part of the data, which NCCL logs as channels
   * @param threads threads of each block
   * @param timeUs time of NCCL's model in microseconds, which predicts no hardware
   * @param calls calls of the group that one launch runs; for the others there are further launches
   */
  record Kernel(
      SymmetricKernel kernel, int blocks, int channels, int threads, float timeUs, int calls)
      implements Execution {}

  /**
   * By copies of the GPU's copy engines between two barriers, without blocks and channels.
   *
   * @param cuda the oldest CUDA version whose driver can do it; with an older one it is {@link
   *     Ordinary} or {@link Kernel}
   * @param copies NCCL's estimate of the copies, where the version makes one
   */
  record CopyEngine(String cuda, Optional<CopyEstimate> copies) implements Execution {}

  /**
   * NCCL ends with an error.
   *
   * @param reason the reason as text
   */
  record Refused(String reason) implements Execution {}

  /**
   * The rules of this NCCL version are not known.
   *
   * @param reason the reason as text
   */
  record NotKnown(String reason) implements Execution {}
}
