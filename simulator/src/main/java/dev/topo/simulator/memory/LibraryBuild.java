package dev.topo.simulator.memory;

import dev.topo.search.rules.NcclProfile;

/**
 * Memory of a GPU and a process that a build of the library takes for any job: its kernels, their
 * part of the CUDA context, and the local memory of running kernels. Measured, as it depends on the
 * compiler and the driver; for other builds than the measured one it is an estimate.
 *
 * @param measured whether the figures were measured with this release and compute capability
 * @param processors multiprocessors of the GPU, each of which has local memory
 */
record LibraryBuild(boolean measured, int processors) {
  private static final String RELEASE = "2.28.9";
  private static final int SM = 90;

  /** H100 and H200 ({@code cudaDevAttrMultiProcessorCount}). */
  private static final int PROCESSORS_OF_H100 = 132;

  private static final int THREADS_OF_PROCESSOR = 2048;

  /**
   * Bytes of kernels and context at {@code ncclCommInitRank}: NCCL 2.28.9 from the Python wheel for
   * CUDA 13.0, H100, driver 580.159.04, 2026-11-24. On H200 it is 3 pages less, with 2.28.3 the
   * same (2026-11-26).
   */
  static final long KERNEL_BYTES = 98 * RankMemory.GRAIN;

  /**
   * Shared resident memory of the host, in bytes, that CUDA takes at the first kernel; same origin.
   */
  static final long LAUNCH_HOST_BYTES = 8452L << 10;

  /**
   * Pinned memory of CUDA at {@code ncclCommInitRank}, in bytes, besides NCCL's own; same origin.
   */
  static final long INIT_HOST_BYTES = 2048L << 10;

  static LibraryBuild of(NcclProfile profile, int sm) {
    return new LibraryBuild(profile.version().equals(RELEASE) && sm == SM, processors(sm));
  }

  /** Multiprocessors of the largest GPU of a compute capability. */
  private static int processors(int sm) {
    return switch (sm / 10) {
      case 7 -> 80;
      case 8 -> sm == 80 ? 108 : 142;
      case 9 -> PROCESSORS_OF_H100;
      default -> 148;
    };
  }

  /** Local memory of a kernel, in bytes for all threads that can be resident. */
  long localBytes(KernelKind kernel) {
    return Rounding.up(
        (long) kernel.threadBytes * THREADS_OF_PROCESSOR * processors, RankMemory.GRAIN);
  }

  /**
   * Kernels by the local memory that they need. CUDA allocates it when a kernel runs that needs
   * more than all before; figures are the least multiples of 8 that explain the measured steps.
   */
  enum KernelKind {
    /**
     * AllReduce, AllGather, ReduceScatter and Reduce on rings; symmetric kernels need no local
     * memory.
     */
    RING(720),
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
