package dev.topo.search.kernel;

/**
 * NCCL's estimate of AllGather by copy engines.
 *
 * @param outOfPlace the copies of a call that is not in place, without a CUDA graph
 * @param inPlace those of a call in place
 * @param inGraph those of a call out of place that a CUDA graph holds
 * @param limitedByDriver whether a newer driver, which copies to all others faster, may change it
 */
public record CopyEstimate(
    Copies outOfPlace, Copies inPlace, Copies inGraph, boolean limitedByDriver) {
  /**
   * The copies of a call.
   *
   * @param multicast whether each rank's part is copied once to all others
   * @param timeUs time of NCCL's model in microseconds, which predicts no hardware
   */
  public record Copies(boolean multicast, float timeUs) {
    /** How the parts are copied, in a word. */
    public String label() {
      return multicast ? "multicast" : "unicast";
    }
  }

  /** How the parts of a call out of place are copied, in a word. */
  public String label() {
    return outOfPlace.label();
  }

  /** The time of a call out of place. */
  public float timeUs() {
    return outOfPlace.timeUs();
  }
}
