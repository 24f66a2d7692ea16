package dev.topo.search.rules;

import java.util.Arrays;

/** Numbers by which NCCL chooses threads and channels of a call ({@code nccl:src/enqueue.cc}). */
public final class LaunchRules extends Rules {
  private final double[] thresholds = table.numbers("launch.thresholds");
  public final int maxThreads = table.integer("launch.max-threads");

  public final int minThreads = table.integer("launch.min-threads");

  /** Most threads of a channel with a protocol, and the fewest with LL128. */
  public final int simpleThreads = table.integer("launch.simple-threads");

  public final int llThreads = table.integer("launch.ll-threads");
  public final int ll128Threads = table.integer("launch.ll128-threads");
  public final int ll128MinThreads = table.integer("launch.ll128-min-threads");

  /** Threads of Simple on rings of at most {@link #slowRingGBps} together. */
  public final int slowRingThreads = table.integer("launch.slow-ring-threads");

  public final double slowRingGBps = table.number("launch.slow-ring-gbps");

  /** Bytes for each thread of CollNet with Simple. */
  public final long collNetThreshold = table.longInteger("launch.collnet-threshold");

  /** A block of threads is halved only while it is a multiple of this. */
  public final int halvedBlock = table.integer("launch.halved-block");

  /** Warps that Simple adds on rings for synchronization. */
  public final int ringExtraWarps = table.integer("launch.ring-extra-warps");

  /** True if trees use all threads of a kernel (from 2.22 on). */
  public final boolean treesUseWholeKernel = table.flag("launch.trees-use-whole-kernel");

  /** Warps that Simple adds on trees that do not. */
  public final int treeExtraWarps =
      treesUseWholeKernel ? 0 : table.integer("launch.tree-extra-warps");

  /** True if NVLS over several nodes takes no more channels than rings have. */
  public final boolean nvlsWithinChannels = table.flag("launch.nvls-within-channels");

  public final int minWarps = table.integer("launch.min-warps");

  /** First number of channels at which CollNetDirect stops removing channels. */
  public final int collNetFirstMark = table.integer("launch.collnet-first-mark");

  /**
   * True if a call may use channels that there are only because NVLS uses as many (not in 2.20 and
   * 2.21).
   */
  public final boolean callsUseRaisedChannels = table.flag("launch.calls-use-raised-channels");

  /** How a call is divided over channels. */
  public final Shares shares = shares(table);

  LaunchRules(RuleTable table) {
    super(table);
  }

  /** How NCCL divides a call over channels; the keys of a version say which. */
  public sealed interface Shares {
    /**
     * By what goes over the links (from 2.22 on).
     *
     * @param minBytes what a channel carries at least
     * @param cellBytes alignment of the cells that a call is divided into
     * @param llFactor factor of the traffic of LL, which sends a flag with every word
     */
    record ByTraffic(long minBytes, int cellBytes, int llFactor) implements Shares {}

    /**
     * In equal parts (2.20 and 2.21).
     *
     * @param partBytes alignment of the parts
     * @param llThreadBytes alignment for each thread with LL
     * @param ll128WarpBytes alignment for each warp with LL128
     * @param simpleBytes alignment with Simple
     */
    record Equal(int partBytes, int llThreadBytes, int ll128WarpBytes, int simpleBytes)
        implements Shares {}

    /** Over as many channels as were chosen, however little there is to do (2.19). */
    record AllChannels() implements Shares {}
  }

  private static Shares shares(RuleTable table) {
    if (table.has("launch.part-bytes")) {
      double[] alignments = table.numbers("launch.part-alignments");
      return new Shares.Equal(
          table.integer("launch.part-bytes"),
          (int) alignments[0],
          (int) alignments[1],
          (int) alignments[2]);
    }
    return table.has("launch.all-channels") && table.flag("launch.all-channels")
        ? new Shares.AllChannels()
        : new Shares.ByTraffic(
            table.longInteger("launch.min-traffic-bytes"),
            table.integer("launch.cell-bytes"),
            table.integer("launch.ll-traffic"));
  }

  /** Bytes for each thread below which NCCL uses fewer channels or threads, by protocol number. */
  public long[] thresholds() {
    return Arrays.stream(thresholds).mapToLong(bytes -> (long) bytes).toArray();
  }
}
