package dev.topo.search.tuning;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.LaunchRules;

/**
 * On how many channels and threads a call runs, once algorithm and protocol are known (end of
 * {@code topoGetAlgoInfo}, {@code nccl:src/enqueue.cc}): as many as give each thread enough to do.
 *
 * @param channels most channels to use
 * @param threads threads on each of them
 */
record LaunchShape(int channels, int threads) {
  static LaunchShape of(
      CommFacts facts,
      ThreadLimits limits,
      long sizeBytes,
      Algorithm algorithm,
      Protocol protocol) {
    LaunchRules rules = facts.profile().launch();
    int threads = limits.maxThreads(algorithm, protocol);
    int threshold = (int) limits.thresholdBytes(algorithm, protocol);
    return switch (algorithm) {
      case NVLS, NVLS_TREE -> new LaunchShape(nvlsChannels(facts, algorithm), threads);
      case COLLNET_DIRECT ->
          new LaunchShape(collNetChannels(facts, sizeBytes, threads, threshold), threads);
      case TREE, RING, COLLNET_CHAIN, PAT -> {
        int channels = channels(facts, algorithm);
        while (channels >= 2 && isTooMuch(sizeBytes, channels * threads * threshold)) {
          channels--;
        }
        while (threads % rules.halvedBlock == 0
            && isTooMuch(sizeBytes, channels * threads * threshold)) {
          threads /= 2;
        }
        yield new LaunchShape(channels, withExtraWarps(rules, threads, algorithm, protocol));
      }
    };
  }

  /**
   * True if a size is below the threshold of channels and threads. NCCL multiplies in 32 bits and
   * compares without a sign, which shows from 8192 ranks on.
   */
  private static boolean isTooMuch(long sizeBytes, int wantedBytes) {
    return Long.compareUnsigned(sizeBytes, wantedBytes) < 0;
  }

  /** PAT over NVLS runs on as many channels as that has, whatever the size is. */
  private static int channels(CommFacts facts, Algorithm algorithm) {
    return algorithm == Algorithm.PAT && facts.hasPatOverNvls()
        ? Math.min(facts.callChannels(), facts.nvlsChannels())
        : facts.callChannels();
  }

  private static int nvlsChannels(CommFacts facts, Algorithm algorithm) {
    boolean limited = facts.profile().launch().nvlsWithinChannels;
    return limited && facts.nNodes() > 1 && algorithm == Algorithm.NVLS
        ? Math.min(facts.nvlsChannels(), facts.callChannels())
        : facts.nvlsChannels();
  }

  /** Removes channels down to 16, 8, 4 and so on; the work required of each is halved midway. */
  private static int collNetChannels(
      CommFacts facts, long sizeBytes, int threads, int firstThreshold) {
    int heads = facts.collNet().map(CommFacts.CollNet::directHeads).orElse(0);
    int channels = facts.callChannels();
    int threshold = firstThreshold;
    for (int mark = facts.profile().launch().collNetFirstMark; mark >= 1; mark /= 2) {
      while (channels > mark && isTooMuch(sizeBytes, channels * threads * heads * threshold)) {
        if (channels == mark + mark / 2) {
          threshold /= 2;
        }
        channels--;
      }
    }
    return channels;
  }

  private static int withExtraWarps(
      LaunchRules rules, int threads, Algorithm algorithm, Protocol protocol) {
    // PAT and, by version, Tree use the whole kernel, whatever the limit was.
    if (algorithm == Algorithm.PAT || (algorithm == Algorithm.TREE && rules.treesUseWholeKernel)) {
      return rules.maxThreads;
    }
    int extraWarps =
        switch (algorithm) {
          case RING -> rules.ringExtraWarps;
          case TREE -> rules.treeExtraWarps;
          case COLLNET_DIRECT, COLLNET_CHAIN, NVLS, NVLS_TREE, PAT -> 0;
        };
    int withExtra =
        protocol == Protocol.SIMPLE ? threads + extraWarps * ThreadLimits.WARP : threads;
    return Math.max(withExtra, rules.minWarps * ThreadLimits.WARP);
  }
}
