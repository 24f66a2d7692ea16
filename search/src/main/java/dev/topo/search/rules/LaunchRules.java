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

  public final int minWarps = table.integer("launch.min-warps");

  /** First number of channels at which CollNetDirect stops removing channels. */
  public final int collNetFirstMark = table.integer("launch.collnet-first-mark");

  /** What a channel carries at least. */
  public final long minTrafficBytes = table.longInteger("launch.min-traffic-bytes");

  /** Alignment of the cells that a call is divided into. */
  public final int cellBytes = table.integer("launch.cell-bytes");

  /** Factor of the traffic of LL, which sends a flag with every word. */
  public final int llTraffic = table.integer("launch.ll-traffic");

  LaunchRules(RuleTable table) {
    super(table);
  }

  /** Bytes for each thread below which NCCL uses fewer channels or threads, by protocol number. */
  public long[] thresholds() {
    return Arrays.stream(thresholds).mapToLong(bytes -> (long) bytes).toArray();
  }
}
