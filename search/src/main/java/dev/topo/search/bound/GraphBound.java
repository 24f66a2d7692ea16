package dev.topo.search.bound;

/**
 * Upper bound of the total bandwidth of the channels of a pattern.
 *
 * @param bandwidthGBps the bound in GB/s
 * @param usedGBps the total bandwidth of the channels found in GB/s: between GPUs, or to the
 *     network if the cut separates them from it
 * @param cut the links that set the bound
 */
public record GraphBound(double bandwidthGBps, double usedGBps, Cut cut) {
  /** The used fraction of the bound; 1 if all of it is used. */
  double share() {
    return bandwidthGBps == 0 ? Double.POSITIVE_INFINITY : usedGBps / bandwidthGBps;
  }
}
