package dev.topo.simulator.memory;

import dev.topo.model.Rounding;
import dev.topo.search.tuning.Communicator;

/**
 * Memory of a GPU and a process that a build of the library takes for any job: its kernels, their
 * part of the CUDA context, and the local memory of running kernels. Measured, as it depends on the
 * compiler and the driver; for other builds than the measured one it is an estimate.
 *
 * @param measured whether the figures were measured with this release and compute capability
 * @param processors multiprocessors of the GPU, each of which has local memory
 * @param kernelBytes bytes of kernels and context at {@code ncclCommInitRank}
 */
record LibraryBuild(boolean measured, int processors, long kernelBytes) {
  private static final String RELEASE = "2.28.9";
  private static final int SM = 90;

  /** H100 and H200 ({@code cudaDevAttrMultiProcessorCount}). */
  private static final int PROCESSORS_OF_H100 = 132;

  private static final int THREADS_OF_PROCESSOR = 2048;

  /** NCCL 2.28.9 from the Python wheel for CUDA 13.0, H100, driver 580.159.04, 2026-11-24. */
  private static final long KERNEL_PAGES = 98;

  /** H200, with 2.28.3 the same (2026-11-26). */
  private static final long KERNEL_PAGES_ON_H200 = 95;

  private static final String H200 = "0x2335";

  /**
   * Shared resident memory of the host, in bytes, that CUDA takes at the first kernel; same origin.
   */
  static final long LAUNCH_HOST_BYTES = 8452L << 10;

  /**
   * Pinned memory of CUDA at {@code ncclCommInitRank}, in bytes, besides NCCL's own; same origin.
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
    long pages = isH200 ? KERNEL_PAGES_ON_H200 : KERNEL_PAGES;
    return new LibraryBuild(
        communicator.profile().version().equals(RELEASE) && sm == SM,
        processors(sm),
        pages * RankMemory.GRAIN);
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
