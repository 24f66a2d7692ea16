package dev.topo.search.engine;

/**
 * Counts down the steps of one attempt. NCCL cuts its search by steps, not by time, so the answer
 * does not depend on how fast the machine is. Mutable, for one attempt.
 */
final class StepBudget {
  private final int limit;
  private int left;
  private boolean perfect;

  StepBudget(int limit) {
    this.limit = limit;
    this.left = limit;
  }

  /** Takes a step; false if there is none left or none is needed any more. */
  boolean take() {
    if (perfect || left <= 0) {
      return false;
    }
    left--;
    return true;
  }

  /** Takes the steps of an attempt that is known to go as an earlier one. */
  void takeAll(int steps) {
    left -= steps;
  }

  /** Ends the attempt: what was found cannot be bettered. */
  void endPerfect() {
    perfect = true;
  }

  /** True if the attempt ended because nothing can be better. */
  boolean isPerfect() {
    return perfect;
  }

  int left() {
    return left;
  }

  int taken() {
    return limit - left;
  }

  boolean isExhausted() {
    return !perfect && left == 0;
  }
}
