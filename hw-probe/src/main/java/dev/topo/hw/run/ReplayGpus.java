package dev.topo.hw.run;

/**
 * The GPUs of a process, with a communicator for each group that they are in. Every process of a
 * replay calls the same methods in the same order.
 */
public interface ReplayGpus {
  /**
   * The measured time, the same on all processes.
   *
   * @param us the time between the two events of the rank that took longest
   * @param isQueued whether all was queued before a GPU came to its first event, so that none
   *     waited for a launch
   */
  record Timing(double us, boolean isQueued) {}

  /**
   * Makes a call, once or more often, between two events of each rank of its communicator. All GPUs
   * are first given other work, a small call once, for its data to be in the cache, then a small
   * AllReduce, with which the ranks meet.
   *
   * @param holds how much other work: so many times 256 MiB are written
   */
  Timing time(ReplayCall call, int times, int holds);

  /** Leaves the GPUs idle for a time in us. */
  void rest(double us);
}
