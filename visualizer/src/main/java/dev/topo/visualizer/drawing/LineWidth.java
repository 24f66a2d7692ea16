package dev.topo.visualizer.drawing;

/** The width of the line of a link. */
final class LineWidth {
  private static final double THINNEST = 1;
  private static final double WIDEST = 10;
  private static final double PER_ROOT_GBPS = 0.45;

  /** NCCL's bandwidth of a device to itself, in every version ({@code LOC_BW}). */
  private static final double LOCAL_GBPS = 5000;

  private LineWidth() {}

  /** True if NCCL means no limit, as for a port without PCI device. */
  static boolean isUnlimited(double bwGBps) {
    return bwGBps >= LOCAL_GBPS;
  }

  /**
   * Pixels for a bandwidth in GB/s. They grow with its square root, so that a slow port is visible
   * next to NVLink.
   */
  static double of(double bwGBps) {
    if (isUnlimited(bwGBps)) {
      return THINNEST;
    }
    return Math.min(WIDEST, THINNEST + PER_ROOT_GBPS * Math.sqrt(bwGBps));
  }
}
