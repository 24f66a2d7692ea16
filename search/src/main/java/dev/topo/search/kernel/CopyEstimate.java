package dev.topo.search.kernel;

/**
 * NCCL's estimate of AllGather by copy engines, out of place and without a CUDA graph.
 *
 * @param multicast whether each rank's part is copied once to all others
 * @param timeUs time of NCCL's model in microseconds, which predicts no hardware
 * @param limitedByDriver whether a newer driver, which copies to all others faster, may change it
 */
public record CopyEstimate(boolean multicast, float timeUs, boolean limitedByDriver) {
  /** How the parts are copied, in a word. */
  public String label() {
    return multicast ? "multicast" : "unicast";
  }
}
