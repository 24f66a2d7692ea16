package dev.topo.search.bound;

/**
 * An upper bound on the total bandwidth of the channels of a pattern.
 *
 * @param bandwidthGBps the bound in GB/s
 * @param usedGBps the total bandwidth in GB/s of the channels that the search found: to the network
 *     if the cut separates the GPUs from it, otherwise between GPUs
 * @param cut the links that determine the bound
 */
public record GraphBound(double bandwidthGBps, double usedGBps, Cut cut) {
  /** The fraction of the bound that the channels use; 1 at the bound. */
  double share() {
    return bandwidthGBps == 0 ? Double.POSITIVE_INFINITY : usedGBps / bandwidthGBps;
  }
}
