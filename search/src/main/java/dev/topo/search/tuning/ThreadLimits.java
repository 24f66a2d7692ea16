package dev.topo.search.tuning;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.model.settings.NcclSettings;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many threads a channel has at most, and how much work a thread gets before NCCL uses more of
 * them or more channels (first and last part of {@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}, NCCL 2.28.9). Immutable.
 */
public final class ThreadLimits {
  /** Threads of a warp ({@code WARP_SIZE}, {@code nccl:src/include/device.h}). */
  static final int WARP = 32;

  /** Threads of a kernel ({@code NCCL_MAX_NTHREADS}). */
  static final int MAX = 640;

  /** {@code NCCL_SIMPLE_MAX_NTHREADS}. */
  private static final int SIMPLE_MAX = 512;

  /** {@code NCCL_LL_MAX_NTHREADS}. */
  private static final int LL_MAX = 512;

  /** {@code NCCL_LL128_MAX_NTHREADS}. */
  private static final int LL128_MAX = 640;

  private static final int MIN = 2 * WARP;
  private static final int LL128_MIN = LL128_MAX / 4;

  /** Threads of Simple on rings that carry no more than PCI Gen3 x16 does. */
  private static final int SIMPLE_SLOW_RING = 256;

  /** {@code PCI_BW}, {@code nccl:src/graph/topo.h}. */
  private static final double PCI_GEN3_X16_GBPS = 12.0;

  /** {@code NCCL_LL_THREAD_THRESHOLD} and its likes, {@code nccl:src/include/comm.h}. */
  private static final long[] THRESHOLDS = {8, 8, 64};

  private static final long COLLNET_THRESHOLD = 512;

  private static final int UNSET = -2;
  private static final Pattern NUMBER = Pattern.compile("\\s*([+-]?\\d{1,18})");

  private final int[][] max = new int[Algorithm.values().length][Protocol.values().length];
  private final long[][] threshold = new long[Algorithm.values().length][Protocol.values().length];

  /** The limits of a communicator. */
  public ThreadLimits(CommFacts facts, NcclSettings settings) {
    ChannelGraph ring = facts.graph(Algorithm.RING);
    int wanted = settings.integer("NCCL_NTHREADS", UNSET);
    int wantedLl128 = settings.integer("NCCL_LL128_NTHREADS", UNSET);
    boolean slowRing = ring.bwIntra() * ring.nChannels() <= PCI_GEN3_X16_GBPS;
    for (Algorithm algorithm : Algorithm.values()) {
      int[] row = max[algorithm.number()];
      switch (algorithm) {
        case TREE, RING -> {
          boolean slow = slowRing && algorithm == Algorithm.RING;
          row[Protocol.LL.number()] = limit(wanted, MIN, LL_MAX, LL_MAX);
          row[Protocol.LL128.number()] = limit(wantedLl128, LL128_MIN, LL128_MAX, LL128_MAX);
          row[Protocol.SIMPLE.number()] =
              limit(wanted, MIN, SIMPLE_MAX, slow ? SIMPLE_SLOW_RING : SIMPLE_MAX);
        }
        case COLLNET_DIRECT, COLLNET_CHAIN, NVLS, NVLS_TREE -> row[Protocol.SIMPLE.number()] = MAX;
        case PAT -> {}
      }
    }
    if (facts.nRanks() > 1) {
      setThresholds(facts.nRanks());
      settings.text("NCCL_THREAD_THRESHOLDS").ifPresent(this::overrideThresholds);
    }
  }

  /** {@code getNthreads}: what the user wants, if it is a multiple of a warp and in range. */
  private static int limit(int wanted, int min, int max, int byDefault) {
    if (wanted <= 0) {
      return byDefault;
    }
    if (wanted % WARP != 0) {
      return max;
    }
    return Math.max(min, Math.min(max, wanted));
  }

  private void setThresholds(int nRanks) {
    for (Algorithm algorithm : Algorithm.values()) {
      threshold[algorithm.number()] = THRESHOLDS.clone();
      if (algorithm.isCollNet()) {
        threshold[algorithm.number()][Protocol.SIMPLE.number()] = COLLNET_THRESHOLD;
      }
    }
    threshold[Algorithm.RING.number()][Protocol.LL.number()] *= nRanks;
  }

  /** Up to six numbers, for Tree and then for Ring; what follows the first other text is lost. */
  private void overrideThresholds(String numbers) {
    Matcher matcher = NUMBER.matcher(numbers);
    for (Algorithm algorithm : new Algorithm[] {Algorithm.TREE, Algorithm.RING}) {
      for (Protocol protocol : Protocol.values()) {
        if (!matcher.lookingAt()) {
          return;
        }
        long value = Long.parseLong(matcher.group(1));
        if (value >= 0) {
          threshold[algorithm.number()][protocol.number()] = value;
        }
        matcher.region(matcher.end(), numbers.length());
      }
    }
  }

  /** Most threads of a channel; 0 for a pair for which NCCL sets no limit. */
  public int maxThreads(Algorithm algorithm, Protocol protocol) {
    return max[algorithm.number()][protocol.number()];
  }

  /** Bytes for each thread below which NCCL uses fewer channels or threads. */
  public long thresholdBytes(Algorithm algorithm, Protocol protocol) {
    return threshold[algorithm.number()][protocol.number()];
  }
}
