package dev.topo.simulator.memory;

import dev.topo.search.rules.NcclProfile;

/**
 * Memory of a GPU and a process that a build of the library takes whatever the job is: its kernels,
 * their part of the CUDA context, and the local memory of the kernels that run. Measured, as the
 * compiler and the driver determine it; for builds other than the measured one it is an estimate.
 *
 * @param measured whether the figures were measured with this release and compute capability
 * @param processors multiprocessors of the GPU, which have local memory each
 */
record LibraryBuild(boolean measured, int processors) {
  private static final String RELEASE = "2.28.9";
  private static final int SM = 90;

  /** H100 and H200 ({@code cudaDevAttrMultiProcessorCount}). */
  private static final int PROCESSORS_OF_H100 = 132;

  private static final int THREADS_OF_PROCESSOR = 2048;

  /**
   * Kernels and context at {@code ncclCommInitRank}: NCCL 2.28.9 of the Python wheel for CUDA 13.0,
   * H100, driver 580.159.04, 2026-11-24. On H200 it is 3 pages less, with 2.28.3 the same
   * (2026-11-26).
   */
  static final long KERNEL_BYTES = 98 * RankMemory.GRAIN;

  /** Shared resident memory of the host that CUDA takes at the first kernel; the same origin. */
  static final long LAUNCH_HOST_BYTES = 8452L << 10;

  /** Pinned memory of CUDA at {@code ncclCommInitRank}, besides NCCL's own; the same origin. */
  static final long INIT_HOST_BYTES = 2048L << 10;

  static LibraryBuild of(NcclProfile profile, int sm) {
    return new LibraryBuild(profile.version().equals(RELEASE) && sm == SM, processors(sm));
  }

  /** The largest GPU of each compute capability. */
  private static int processors(int sm) {
    return switch (sm / 10) {
      case 7 -> 80;
      case 8 -> sm == 80 ? 108 : 142;
      case 9 -> PROCESSORS_OF_H100;
      default -> 148;
    };
  }

  /** Local memory of a kernel: bytes of each thread that can be resident. */
  long localBytes(KernelKind kernel) {
    return Rounding.up(
        (long) kernel.threadBytes * THREADS_OF_PROCESSOR * processors, RankMemory.GRAIN);
  }

  /**
   * Kernels by the local memory that they need. CUDA takes it when the first kernel that needs more
   * than those before runs; figures are the least multiples of 8 that explain the measured steps.
   */
  enum KernelKind {
    /** AllReduce, AllGather, ReduceScatter and Reduce by rings; symmetric kernels need none. */
    RING(720),
    BROADCAST(736),
    /** Trees. */
    TREE(824),
    /** Sends and receives. */
    PEER(960),
    /** NVLS, in-network reduction and PAT: not measured, taken for that of trees. */
    OTHER(824);

    private final int threadBytes;

    KernelKind(int threadBytes) {
      this.threadBytes = threadBytes;
    }
  }
}
