package dev.topo.advice.graph;

/**
 * What rings and trees reach by the link model, and what no channels on NCCL's paths reach: all
 * channels together at the raw rates of the links, in GB/s.
 *
 * @param ringGBps the rings
 * @param ringBoundGBps the bound of rings
 * @param treeGBps the trees
 * @param treeBoundGBps the bound of trees
 * @param proven whether the bounds hold for certain; for many GPUs they are the least that was
 *     found
 */
public record LinkShare(
    double ringGBps, double ringBoundGBps, double treeGBps, double treeBoundGBps, boolean proven) {
  /** The part of the bound that the rings reach. */
  public double ring() {
    return ringGBps / ringBoundGBps;
  }

  /** The part of the bound that the trees reach. */
  public double tree() {
    return treeGBps / treeBoundGBps;
  }
}
