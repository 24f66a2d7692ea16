package dev.topo.simulator.advice;

/**
 * The total bandwidths of rings and trees by the link model, at the raw rates of the links, and the
 * bounds on NCCL's paths. In GB/s.
 *
 * @param ringGBps total bandwidth of the rings
 * @param ringBoundGBps upper bound for rings
 * @param treeGBps total bandwidth of the trees
 * @param treeBoundGBps upper bound for trees
 * @param proven whether the bounds are proven; for many GPUs they are only estimates
 */
public record LinkShare(
    double ringGBps, double ringBoundGBps, double treeGBps, double treeBoundGBps, boolean proven) {
  /** Share from which on the bound counts as reached, as bounds are approximations. */
  private static final double REACHED = 0.999;

  /** The share of the bound that the rings reach. */
  public double ring() {
    return share(ringGBps, ringBoundGBps);
  }

  /** The share of the bound that the trees reach. */
  public double tree() {
    return share(treeGBps, treeBoundGBps);
  }

  /** True if both rings and trees reach their bounds. */
  boolean isReached() {
    return Math.min(ring(), tree()) >= REACHED;
  }

  /** The share is 1 if no link with a known rate limits channels. */
  private static double share(double gbps, double boundGBps) {
    return gbps < boundGBps ? gbps / boundGBps : 1;
  }
}
