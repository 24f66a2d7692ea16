package dev.topo.visualizer.drawing;

/** Determines the width of the line of a link. */
final class LineWidth {
  private static final double MIN_WIDTH = 1;
  private static final double MAX_WIDTH = 10;
  private static final double PIXELS_PER_ROOT_GBPS = 0.45;

  /** NCCL's bandwidth of a device to itself, in every version ({@code LOC_BW}). */
  private static final double LOCAL_GBPS = 5000;

  private LineWidth() {}

  /** True if the number is NCCL's way of stating no limit, as for a port without a PCI device. */
  static boolean isUnlimited(double bwGBps) {
    return bwGBps >= LOCAL_GBPS;
  }

  /**
   * Returns the width in pixels for a bandwidth in GB/s. It grows with the square root, so that a
   * slow port is visible next to NVLink.
   */
  static double of(double bwGBps) {
    if (isUnlimited(bwGBps)) {
      return MIN_WIDTH;
    }
    return Math.min(MAX_WIDTH, MIN_WIDTH + PIXELS_PER_ROOT_GBPS * Math.sqrt(bwGBps));
  }
}
