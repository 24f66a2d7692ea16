package dev.topo.run.replay;

import java.util.List;

/** The GPUs of a replay with a communicator for each group. */
public interface ReplayGpus {
  /**
   * What was measured.
   *
   * @param us the time between the two events of each rank
   * @param isQueued whether all was queued before a GPU came to its first event, so that none
   *     waited for a launch
   */
  record Timing(List<Double> us, boolean isQueued) {
    /** Copies the list. */
    public Timing {
      us = List.copyOf(us);
    }

    /** The time of the rank that took longest. */
    double longestUs() {
      return us.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
  }

  /**
   * Makes a call, once or more often, between two events of each rank of its communicator. All GPUs
   * are first given other work, then a small AllReduce, with which the ranks meet.
   *
   * @param holds how much other work: so many times 256 MiB are written
   */
  Timing time(ReplayCall call, int times, int holds);
}
