package dev.topo.simulator.evaluate;

import dev.topo.search.kernel.Buffers;
import java.util.OptionalDouble;

/**
 * How calls are made.
 *
 * @param gpusPerProcess GPUs that one process launches kernels for; 0 where calls are replayed from
 *     a CUDA graph
 * @param buffers how the buffers of the calls are known to NCCL
 * @param groups communicators over the same GPUs whose equal calls run at the same time, each on a
 *     stream of its own
 * @param launchUs what the host takes to launch the kernel of one GPU, in microseconds; empty where
 *     it is not known
 */
public record CallContext(
    int gpusPerProcess, Buffers buffers, int groups, OptionalDouble launchUs) {
  /** A process for each GPU, plain buffers, one communicator. */
  public static final CallContext USUAL =
      new CallContext(1, Buffers.PLAIN, 1, OptionalDouble.empty());

  public CallContext {
    if (gpusPerProcess < 0 || groups < 1) {
      throw new IllegalArgumentException(
          gpusPerProcess
              + " GPUs per process, expected 0 or more; "
              + groups
              + " groups at once, expected 1 or more");
    }
  }

  /** The same with another number of GPUs per process. */
  public CallContext withGpusPerProcess(int count) {
    return new CallContext(count, buffers, groups, launchUs);
  }

  /** The same with other buffers. */
  public CallContext withBuffers(Buffers kind) {
    return new CallContext(gpusPerProcess, kind, groups, launchUs);
  }

  /** The same with another number of groups. */
  public CallContext withGroups(int count) {
    return new CallContext(gpusPerProcess, buffers, count, launchUs);
  }

  /** The same on a host whose launches are known. */
  public CallContext withLaunchUs(double us) {
    return new CallContext(gpusPerProcess, buffers, groups, OptionalDouble.of(us));
  }
}
