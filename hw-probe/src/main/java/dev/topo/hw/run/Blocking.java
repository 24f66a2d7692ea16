package dev.topo.hw.run;

/** When the host waits for calls; the numbers are as for {@code -z}. */
public enum Blocking {
  /** Calls are queued without waiting. */
  NONE,
  /** The host waits for each call, followed by a barrier. */
  EACH_CALL_AND_MEET,
  /** The host waits for each call. */
  EACH_CALL,
  /** The host waits for each iteration, followed by a barrier that is not measured. */
  EACH_ITERATION_AND_MEET
}
