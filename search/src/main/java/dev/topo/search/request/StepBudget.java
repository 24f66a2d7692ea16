package dev.topo.search.request;

/**
 * Counts down the steps of one attempt. NCCL cuts its search by steps, not by time, so the answer
 * does not depend on how fast the machine is. Mutable, for one attempt.
 */
public final class StepBudget {
  /**
   * Steps of an attempt in which every channel repeats the one before ({@code
   * NCCL_SEARCH_TIMEOUT_SAMECHANNELS}).
   */
  public static final int SAME_CHANNELS = 1 << 8;

  /** Steps of any other attempt ({@code NCCL_SEARCH_TIMEOUT}). */
  public static final int DIFFERENT_CHANNELS = 1 << 14;

  /**
   * Steps of the first look at GPUs in PCI order, which do not count ({@code
   * ncclTopoSearchRecNet}).
   */
  public static final int PCI_ORDER = 1 << 10;

  /**
   * Steps after which a search that has an answer stops relaxing ({@code
   * NCCL_SEARCH_GLOBAL_TIMEOUT}).
   */
  public static final int GLOBAL = 1 << 19;

  private final int limit;
  private int left;
  private boolean perfect;

  /** A budget of so many steps. */
  public StepBudget(int limit) {
    this.limit = limit;
    this.left = limit;
  }

  /** Takes a step; false if there is none left or none is needed any more. */
  public boolean take() {
    if (perfect || left <= 0) {
      return false;
    }
    left--;
    return true;
  }

  /** Ends the attempt: what was found cannot be bettered. */
  public void endPerfect() {
    perfect = true;
  }

  /** Whether the attempt ended because nothing can be better. */
  public boolean isPerfect() {
    return perfect;
  }

  /** Steps that are left. */
  public int left() {
    return left;
  }

  /** Steps that were taken. */
  public int taken() {
    return limit - left;
  }

  /** Whether the attempt ran out of steps. */
  public boolean isExhausted() {
    return !perfect && left == 0;
  }
}
