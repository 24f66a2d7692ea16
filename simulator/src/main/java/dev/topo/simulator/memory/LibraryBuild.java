package dev.topo.simulator.memory;

import dev.topo.model.Rounding;
import dev.topo.search.tuning.Communicator;

/**
 * Memory that a build of the library takes on a GPU and in a process for any job: its kernels,
 * their part of the CUDA context, and the local memory of running kernels. The figures are
 * measured, as they depend on the compiler and the driver; for other builds they are estimates.
 *
 * @param measured whether the figures were measured with this release and compute capability
 * @param processors number of multiprocessors of the GPU, each of which has local memory
 * @param kernelBytes bytes of kernels and context at {@code ncclCommInitRank}
 */
record LibraryBuild(boolean measured, int processors, long kernelBytes) {
  private static final String RELEASE = "2.28.9";
  private static final int SM = 90;

  /** H100 and H200 ({@code cudaDevAttrMultiProcessorCount}). */
  private static final int H100_PROCESSORS = 132;

  private static final int THREADS_PER_PROCESSOR = 2048;

  /**
   * Pages of kernels and context on H100: NCCL 2.28.9 from the Python wheel for CUDA 13.0, driver
   * 580.159.04, 2026-11-24.
   */
  private static final long H100_KERNEL_PAGES = 98;

  /** The same on H200; equal with NCCL 2.28.3 (2026-11-26). */
  private static final long H200_KERNEL_PAGES = 95;

  private static final String H200 = "0x2335";

  /**
   * Shared resident memory of the host, in bytes, that CUDA takes at the first kernel. Measured in
   * the same runs.
   */
  static final long LAUNCH_HOST_BYTES = 8452L << 10;

  /**
   * Pinned memory that CUDA takes at {@code ncclCommInitRank} in addition to NCCL's own, in bytes.
   * Measured in the same runs.
   */
  static final long INIT_HOST_BYTES = 2048L << 10;

  /** The build that the ranks of a communicator use. */
  static LibraryBuild of(Communicator communicator) {
    int sm = communicator.connection().minSm();
    boolean isH200 =
        communicator
            .connection()
            .topologies()
            .flatMap(topology -> topology.gpus().stream())
            .allMatch(gpu -> gpu.device().equals(H200));
    long pages = isH200 ? H200_KERNEL_PAGES : H100_KERNEL_PAGES;
    return new LibraryBuild(
        communicator.profile().version().equals(RELEASE) && sm == SM,
        processors(sm),
        pages * RankMemory.GRAIN);
  }

  /** Number of multiprocessors of the largest GPU of a compute capability. */
  private static int processors(int sm) {
    return switch (sm / 10) {
      case 7 -> 80;
      case 8 -> sm == 80 ? 108 : 142;
      case 9 -> H100_PROCESSORS;
      default -> 148;
    };
  }

  /** Local memory of a kernel for all threads that can be resident, in bytes. */
  long localBytes(KernelKind kernel) {
    return Rounding.up(
        (long) kernel.threadBytes * THREADS_PER_PROCESSOR * processors, RankMemory.GRAIN);
  }

  /**
   * Kernels by the local memory that they need, in bytes per thread. CUDA allocates local memory
   * when a kernel needs more than all earlier ones; the figures are the least multiples of 8 that
   * explain the measured steps.
   */
  enum KernelKind {
    /**
     * AllReduce, AllGather, ReduceScatter and Reduce on rings; symmetric kernels need no local
     * memory.
     */
    RING(720),
    /** Broadcast on rings. */
    BROADCAST(736),
    /** Trees. */
    TREE(824),
    /** Sends and receives. */
    PEER(960),
    /** NVLS, in-network reduction and PAT: not measured, assumed to be like trees. */
    OTHER(824);

    private final int threadBytes;

    KernelKind(int threadBytes) {
      this.threadBytes = threadBytes;
    }
  }
}
