package dev.topo.simulator;

import dev.topo.model.operation.Collective;

/**
 * nccl-tests' measures of speed: {@code algbw} is size by time, {@code busbw} what that asks of the
 * hardware, which does not depend on the number of ranks ({@code nccl-tests:doc/PERFORMANCE.md}).
 */
public final class BusBandwidth {
  private static final double BYTES_PER_US_TO_GBPS = 1e-3;

  private BusBandwidth() {}

  /** Size by time in GB/s. */
  public static double algbwGBps(long sizeBytes, double timeUs) {
    return sizeBytes / timeUs * BYTES_PER_US_TO_GBPS;
  }

  /** What the hardware carries, in GB/s. */
  public static double busbwGBps(Collective collective, long sizeBytes, double timeUs, int nRanks) {
    return algbwGBps(sizeBytes, timeUs) * factor(collective, nRanks);
  }

  private static double factor(Collective collective, int nRanks) {
    double others = (nRanks - 1.0) / nRanks;
    return switch (collective) {
      case ALL_REDUCE -> 2 * others;
      case ALL_GATHER, REDUCE_SCATTER -> others;
      case BROADCAST, REDUCE -> 1;
    };
  }
}
