package dev.topo.simulator.advice;

/**
 * The bandwidths of rings and trees by the link model, and their bounds on NCCL's paths: all
 * channels together at the raw rates of the links, in GB/s.
 *
 * @param ringGBps the rings
 * @param ringBoundGBps the bound of rings
 * @param treeGBps the trees
 * @param treeBoundGBps the bound of trees
 * @param proven whether the bounds are proven; for many GPUs they are the least found
 */
public record LinkShare(
    double ringGBps, double ringBoundGBps, double treeGBps, double treeBoundGBps, boolean proven) {
  /** Share that counts as the whole, as bounds are approximations. */
  private static final double REACHED = 0.999;

  /** The share of the bound that the rings reach. */
  public double ring() {
    return part(ringGBps, ringBoundGBps);
  }

  /** The share of the bound that the trees reach. */
  public double tree() {
    return part(treeGBps, treeBoundGBps);
  }

  /** True if neither rings nor trees can be faster. */
  boolean isReached() {
    return Math.min(ring(), tree()) >= REACHED;
  }

  /** The share is 1 if no link with a known rate limits channels. */
  private static double part(double gbps, double boundGBps) {
    return gbps < boundGBps ? gbps / boundGBps : 1;
  }
}
