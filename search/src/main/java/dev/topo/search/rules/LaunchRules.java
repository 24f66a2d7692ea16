package dev.topo.search.rules;

/** Numbers by which NCCL chooses threads and channels of a call ({@code nccl:src/enqueue.cc}). */
public final class LaunchRules {
  /** Threads of a kernel. */
  public final int maxThreads;

  /** Fewest threads of a channel. */
  public final int minThreads;

  /** Most threads with Simple. */
  public final int simpleThreads;

  /** Most threads with LL. */
  public final int llThreads;

  /** Most threads with LL128. */
  public final int ll128Threads;

  /** Fewest threads with LL128. */
  public final int ll128MinThreads;

  /** Threads of Simple on rings of at most {@link #slowRingGBps}. */
  public final int slowRingThreads;

  /** See {@link #slowRingThreads}. */
  public final double slowRingGBps;

  private final double[] thresholds;

  /** Bytes for each thread of CollNet with Simple. */
  public final long collNetThreshold;

  /** A block of threads is halved only while it is a multiple of this. */
  public final int halvedBlock;

  /** Warps that Simple adds on rings for synchronization. */
  public final int ringExtraWarps;

  /** Fewest warps of a kernel. */
  public final int minWarps;

  /** First number of channels at which CollNetDirect stops removing channels. */
  public final int collNetFirstMark;

  /** What a channel carries at least. */
  public final long minTrafficBytes;

  /** Alignment of the cells that a call is divided into. */
  public final int cellBytes;

  /** Factor of the traffic of LL, which sends a flag with every word. */
  public final int llTraffic;

  LaunchRules(RuleTable table) {
    maxThreads = table.integer("launch.max-threads");
    minThreads = table.integer("launch.min-threads");
    simpleThreads = table.integer("launch.simple-threads");
    llThreads = table.integer("launch.ll-threads");
    ll128Threads = table.integer("launch.ll128-threads");
    ll128MinThreads = table.integer("launch.ll128-min-threads");
    slowRingThreads = table.integer("launch.slow-ring-threads");
    slowRingGBps = table.number("launch.slow-ring-gbps");
    thresholds = table.numbers("launch.thresholds");
    collNetThreshold = table.longInteger("launch.collnet-threshold");
    halvedBlock = table.integer("launch.halved-block");
    ringExtraWarps = table.integer("launch.ring-extra-warps");
    minWarps = table.integer("launch.min-warps");
    collNetFirstMark = table.integer("launch.collnet-first-mark");
    minTrafficBytes = table.longInteger("launch.min-traffic-bytes");
    cellBytes = table.integer("launch.cell-bytes");
    llTraffic = table.integer("launch.ll-traffic");
  }

  /** Bytes for each thread below which NCCL uses fewer channels or threads, by protocol number. */
  public long[] thresholds() {
    long[] bytes = new long[thresholds.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (long) thresholds[i];
    }
    return bytes;
  }
}
