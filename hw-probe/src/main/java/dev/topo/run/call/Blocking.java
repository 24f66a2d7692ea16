package dev.topo.run.call;

/** Whether a call is waited for before the next is made; the numbers are those of {@code -z}. */
public enum Blocking {
  /** Calls are queued. */
  NONE,
  /** Each call is waited for, and all ranks meet after it. */
  EACH_CALL_AND_MEET,
  /** Each call is waited for. */
  EACH_CALL,
  /** Each iteration is waited for, all ranks meet after it, and the meeting is not measured. */
  EACH_ITERATION_AND_MEET
}
