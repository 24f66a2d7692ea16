package dev.topo.search.kernel;

/**
 * NCCL's estimate of AllGather by copy engines.
 *
 * @param outOfPlace the copies of an out-of-place call, not in a CUDA graph
 * @param inPlace the copies of an in-place call
 * @param inGraph the copies of an out-of-place call in a CUDA graph
 * @param limitedByDriver whether a newer driver with faster multicast copies may change the
 *     estimate
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

  /** How the parts of an out-of-place call are copied: {@code multicast} or {@code unicast}. */
  public String label() {
    return outOfPlace.label();
  }

  /** The time of an out-of-place call in microseconds. */
  public float timeUs() {
    return outOfPlace.timeUs();
  }
}
