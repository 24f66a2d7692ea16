package dev.topo.hw.run;

/**
 * GPUs of a process, with a communicator for each of their groups. All processes of a replay call
 * the same methods in the same order.
 */
public interface ReplayGpus {
  /**
   * Measured time, the same on all processes.
   *
   * @param us time between the two events of the slowest rank, in µs
   * @param isQueued whether everything was queued before a GPU reached its first event, so that
   *     none waited for a launch
   */
  record Timing(double us, boolean isQueued) {}

  /**
   * Times one or more executions of a call, between two events of each rank of its communicator.
   * Before that, the GPUs run other work, then the call itself once if it is small, so that its
   * data is cached, then a small AllReduce that synchronizes the ranks.
   *
   * @param holds amount of other work, in writes of 256 MiB
   */
  Timing time(ReplayCall call, int times, int holds);

  /** Leaves the GPUs idle for a time in µs. */
  void rest(double us);
}
