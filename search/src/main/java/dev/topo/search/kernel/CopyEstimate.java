package dev.topo.search.kernel;

/**
 * NCCL's estimate of AllGather by copy engines.
 *
 * @param outOfPlace the copies of a call that is not in place, without a CUDA graph
 * @param inPlace those of a call in place
 * @param inGraph those of a call out of place in a CUDA graph
 * @param limitedByDriver whether a newer driver, with faster copies to all others, may change it
 */
public record CopyEstimate(
    Copies outOfPlace, Copies inPlace, Copies inGraph, boolean limitedByDriver) {
  /**
   * The copies of a call.
   *
   * @param multicast whether each rank's part is copied once to all others
   * @param timeUs time of NCCL's model in microseconds, not a prediction of real hardware
   */
  public record Copies(boolean multicast, float timeUs) {
    /** How the parts are copied: {@code multicast} or {@code unicast}. */
    public String label() {
      return multicast ? "multicast" : "unicast";
    }
  }

  /** How the parts of a call out of place are copied: {@code multicast} or {@code unicast}. */
  public String label() {
    return outOfPlace.label();
  }

  /** The time of a call out of place. */
  public float timeUs() {
    return outOfPlace.timeUs();
  }
}
