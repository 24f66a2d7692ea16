package dev.topo.simulator.timing;

/**
 * How much longer a channel of a ring takes for its data where NCCL_NTHREADS or NCCL_LL128_NTHREADS
 * gives its thread block fewer threads than NCCL starts by default. Threads wait for their own
 * loads and stores; a block of many threads is limited by its multiprocessor. Reducing loads twice
 * before it stores, so that it needs more threads. Trees have all threads, whatever is set ({@code
 * nccl:src/enqueue.cc}).
 *
 * <p>Of a small call NCCL itself starts fewer threads: as many as have something to move at once.
 * That costs nothing more, so that only what is beyond counts here.
 *
 * <p>The numbers of threads were fitted to AllGather and AllReduce of two H200 (virtual machine,
 * driver 580.159.04, NCCL 2.28.9, 2026-11-26; {@code block-threads.csv}).
 */
final class BlockPace {
  /** A ring by Simple has a warp that only synchronizes. */
  private static final int SYNC_THREADS = 32;

  /**
   * NCCL halves the threads of a call of less than so many bytes a thread: by LL times the ranks
   * ({@code NCCL_LL_THREAD_THRESHOLD} and others, {@code nccl:src/include/comm.h}).
   */
  private static final int LL_THRESHOLD = 8;

  private static final int SIMPLE_THRESHOLD = 64;

  /** By Simple NCCL starts so many threads by default for slow rings, as on PCIe. */
  private static final int SLOW_RING_THREADS = 256;

  /** Channels that get more than others, and threads that were halved below a threshold. */
  private static final int UNEVEN = 4;

  private BlockPace() {}

  /**
   * The primitives of a call with the threads it has.
   *
   * @param byDefault the primitives with as many threads as NCCL starts by default
   */
  static PrimitiveCosts of(CallShape shape, PrimitiveCosts byDefault) {
    return switch (shape.protocol()) {
      case LL ->
          of(shape, byDefault, shape.threads(), LL_THRESHOLD * shape.nRanks(), 512, 620, 2000);
      case LL128 -> of(shape, byDefault, shape.threads(), LL_THRESHOLD, 640, 630, 1000);
      case SIMPLE ->
          of(
              shape,
              byDefault,
              shape.threads() - SYNC_THREADS,
              SIMPLE_THRESHOLD,
              isSlow(shape.route().together()) ? SLOW_RING_THREADS : 512,
              175,
              510);
    };
  }

  /** True if neighbours on a ring are not joined by NVLink alone. */
  private static boolean isSlow(Contention hops) {
    return hops.nvlinkPsPerByte() == 0 || hops.otherPsPerByte() > 0 || hops.throughHost();
  }

  /**
   * @param threshold bytes of a thread below which NCCL starts fewer
   * @param usual threads by default
   * @param copying threads that by themselves copy as much as the multiprocessor does
   * @param reducing the same for two sources
   */
  private static PrimitiveCosts of(
      CallShape shape,
      PrimitiveCosts byDefault,
      int threads,
      int threshold,
      int usual,
      double copying,
      double reducing) {
    double atOnce = (double) UNEVEN * threshold * Math.max(1, threads);
    if (threads >= usual || shape.shareBytes() <= atOnce) {
      return byDefault;
    }
    double beyond = 1 - atOnce / shape.shareBytes();
    return byDefault.slower(
        1 + beyond * longer(threads, usual, copying),
        1 + beyond * longer(threads, usual, reducing));
  }

  private static double longer(int threads, int usual, double balanced) {
    return Math.hypot(1, balanced / Math.max(1, threads)) / Math.hypot(1, balanced / usual) - 1;
  }
}
