package dev.topo.search.engine;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;

/** Observer of a search; called in order and from one thread. */
public interface SearchMonitor {
  SearchMonitor NONE =
      new SearchMonitor() {
        @Override
        public boolean observesObstacles() {
          return false;
        }
      };

  /** How an attempt ended. */
  enum AttemptEnd {
    /** Every possibility was tried. */
    COMPLETE,
    /** The requested number of channels was found; no solution is better. */
    PERFECT,
    /** The budget of steps was used up. */
    OUT_OF_STEPS
  }

  /**
   * True if {@link #blocked} and {@link #tooFar} are needed. If false, they are not called, and
   * attempts that are known to improve nothing are not repeated.
   */
  default boolean observesObstacles() {
    return true;
  }

  /** A set of constraints is about to be tried. */
  default void attemptStarted(GraphKind kind, Constraints constraints) {}

  /** The attempt found something better than all before it. */
  default void improved(GraphKind kind, int nChannels, int hops) {}

  /**
   * A channel could not continue because a link had too little bandwidth left.
   *
   * @param link its number in the table of links of the domain
   */
  default void blocked(GraphKind kind, int link) {}

  /** A channel could not continue because a path was farther than allowed. */
  default void tooFar(GraphKind kind, PathType type) {}

  default void attemptEnded(GraphKind kind, Constraints constraints, AttemptEnd end, int steps) {}

  /**
   * The first pass is over; the second tries to raise the bandwidth of the channels found.
   *
   * @param found channels that the first pass found
   * @param doubled channels after fast ones were split into two
   */
  default void secondPass(GraphKind kind, int found, int doubled) {}

  default void finished(GraphKind kind, SearchOutcome outcome) {}

  /**
   * Counts down the steps of one attempt. NCCL limits its search by steps, not by time, so the
   * result does not depend on the speed of the machine. Mutable, for one attempt.
   */
  final class StepBudget {
    private final int limit;
    private int left;
    private boolean perfect;

    StepBudget(int limit) {
      this.limit = limit;
      this.left = limit;
    }

    /** Takes a step; false if none is left or needed. */
    boolean take() {
      if (perfect || left <= 0) {
        return false;
      }
      left--;
      return true;
    }

    /** Takes the steps of an attempt that is known to repeat an earlier one. */
    void takeAll(int steps) {
      left -= steps;
    }

    /** Ends the attempt: the solution cannot be improved. */
    void endPerfect() {
      perfect = true;
    }

    /** True if the attempt ended because no solution can be better. */
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

  /** How a search ended. */
  sealed interface SearchOutcome {
    /** The graph that NCCL uses from then on. */
    ChannelGraph graph();

    Stats stats();

    /**
     * The work of a search.
     *
     * @param attempts sets of constraints that were tried
     * @param steps steps of the recursion in all of them
     */
    record Stats(int attempts, long steps) {}

    record Found(ChannelGraph graph, Stats stats) implements SearchOutcome {}

    /** Channels were found, but an attempt was cut off by its budget: there may be better ones. */
    record BudgetExhausted(ChannelGraph graph, Stats stats) implements SearchOutcome {}

    /**
     * No channels fit. For rings and trees NCCL falls back to one channel in the order of the GPUs
     * at 0.1 GB/s; for the other kinds the graph is empty.
     */
    record Infeasible(ChannelGraph graph, Stats stats) implements SearchOutcome {}

    /**
     * There was nothing to search: the graph came from a file, or the machine does not support its
     * kind.
     */
    record NotSearched(ChannelGraph graph) implements SearchOutcome {

      @Override
      public Stats stats() {
        return new Stats(0, 0);
      }
    }
  }
}
