package dev.topo.search.bound;

/**
 * The bandwidth that no channels of a pattern exceed together.
 *
 * @param bandwidthGBps the bound in GB/s
 * @param usedGBps the bandwidth of the channels that were found, all together, in GB/s: between
 *     GPUs, or to the network if the cut separates them from it
 * @param cut the links that set the bound
 */
public record GraphBound(double bandwidthGBps, double usedGBps, Cut cut) {
  /** The part of the bound that is used; 1 is all. */
  double share() {
    return bandwidthGBps == 0 ? Double.POSITIVE_INFINITY : usedGBps / bandwidthGBps;
  }
}
