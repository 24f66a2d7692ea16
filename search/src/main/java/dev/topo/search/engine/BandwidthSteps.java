package dev.topo.search.engine;

/**
 * The bandwidths in GB/s that the search tries for a channel, highest first ({@code
 * speedArrayIntra} and its likes, {@code nccl:src/graph/search.cc}, NCCL 2.28.9). Which list
 * applies depends on the oldest GPU and on whether the job crosses the network.
 */
final class BandwidthSteps {
  private static final float[] INTRA = {40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3};
  private static final float[] INTER = {
    48, 30, 28, 24, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4f, 1.2f, 0.24f, 0.12f
  };
  private static final float[] HOPPER_INTRA = {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3};
  private static final float[] HOPPER_INTER = {
    48, 45, 42, 40, 30, 24, 22, 20, 17.5f, 15, 12, 6, 3, 2.4f, 1.2f, 0.24f, 0.12f
  };
  private static final float[] BLACKWELL_INTRA = {90, 80, 70, 60, 50, 40, 30, 24, 20, 19, 18};
  private static final float[] BLACKWELL_INTER = {
    96, 48, 45.1f, 42, 40, 30, 24, 22, 20, 17.5f, 15, 12, 6, 3, 2.4f, 1.2f, 0.24f, 0.12f
  };

  private static final int HOPPER_SM = 90;
  private static final int BLACKWELL_SM = 100;

  private BandwidthSteps() {}

  static float[] of(int minSm, boolean crossesNetwork) {
    if (minSm >= BLACKWELL_SM) {
      return crossesNetwork ? BLACKWELL_INTER : BLACKWELL_INTRA;
    }
    if (minSm >= HOPPER_SM) {
      return crossesNetwork ? HOPPER_INTER : HOPPER_INTRA;
    }
    return crossesNetwork ? INTER : INTRA;
  }
}
