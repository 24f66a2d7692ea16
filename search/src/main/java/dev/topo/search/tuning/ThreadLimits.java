package dev.topo.search.tuning;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.LaunchRules;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many threads a channel has at most, and how much work a thread gets before NCCL uses more of
 * them or more channels (first and last part of {@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}). Immutable.
 */
public final class ThreadLimits {
  /** Threads of a warp ({@code WARP_SIZE}, {@code nccl:src/include/device.h}). */
  static final int WARP = 32;

  private static final int UNSET = -2;
  private static final Pattern NUMBER = Pattern.compile("\\s*([+-]?\\d{1,18})");

  private final int[][] max = new int[Algorithm.values().length][Protocol.values().length];
  private final long[][] threshold = new long[Algorithm.values().length][Protocol.values().length];

  ThreadLimits(CommFacts facts, NcclSettings settings) {
    LaunchRules rules = facts.profile().launch();
    ChannelGraph ring = facts.graph(Algorithm.RING);
    int wanted = settings.integer("NCCL_NTHREADS", UNSET);
    int wantedLl128 = settings.integer("NCCL_LL128_NTHREADS", UNSET);
    boolean slowRing = ring.bwIntra() * ring.nChannels() <= rules.slowRingGBps;
    for (Algorithm algorithm : Algorithm.values()) {
      int[] row = max[algorithm.number()];
      switch (algorithm) {
        case TREE, RING -> {
          boolean slow = slowRing && algorithm == Algorithm.RING;
          row[Protocol.LL.number()] =
              limit(wanted, rules.minThreads, rules.llThreads, rules.llThreads);
          row[Protocol.LL128.number()] =
              limit(wantedLl128, rules.ll128MinThreads, rules.ll128Threads, rules.ll128Threads);
          row[Protocol.SIMPLE.number()] =
              limit(
                  wanted,
                  rules.minThreads,
                  rules.simpleThreads,
                  slow ? rules.slowRingThreads : rules.simpleThreads);
        }
        case COLLNET_DIRECT, COLLNET_CHAIN, NVLS, NVLS_TREE ->
            row[Protocol.SIMPLE.number()] = rules.maxThreads;
        case PAT -> {}
      }
    }
    if (facts.nRanks() > 1) {
      setThresholds(rules, facts.nRanks());
      settings.text("NCCL_THREAD_THRESHOLDS").ifPresent(this::overrideThresholds);
    }
  }

  /**
   * {@code getNthreads}: the number that the user sets, if it is a multiple of a warp and in range.
   */
  private static int limit(int wanted, int min, int max, int byDefault) {
    if (wanted <= 0) {
      return byDefault;
    }
    if (wanted % WARP != 0) {
      return max;
    }
    return Math.max(min, Math.min(max, wanted));
  }

  private void setThresholds(LaunchRules rules, int nRanks) {
    for (Algorithm algorithm : Algorithm.values()) {
      threshold[algorithm.number()] = rules.thresholds();
      if (algorithm.isCollNet()) {
        threshold[algorithm.number()][Protocol.SIMPLE.number()] = rules.collNetThreshold;
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
