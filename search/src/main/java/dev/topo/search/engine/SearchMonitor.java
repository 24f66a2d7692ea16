package dev.topo.search.engine;

import dev.topo.model.PathType;
import dev.topo.model.graph.GraphKind;

/** Observes a search, which calls it in order and from one thread. */
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
    /** The requested number of channels was found, which nothing improves. */
    PERFECT,
    /** The budget of steps was used up. */
    OUT_OF_STEPS
  }

  /**
   * True if {@link #blocked} and {@link #tooFar} are of interest. If not, they may be left out
   * where an attempt is known to improve nothing.
   */
  default boolean observesObstacles() {
    return true;
  }

  /** A set of constraints is about to be tried. */
  default void attemptStarted(GraphKind kind, Constraints constraints) {}

  /** The attempt found something better than all before it. */
  default void improved(GraphKind kind, int nChannels, int hops) {}

  /**
   * A channel could not go on because a link had too little bandwidth left.
   *
   * @param link its number in the table of links of the domain
   */
  default void blocked(GraphKind kind, int link) {}

  /** A channel could not go on because a path was farther than allowed. */
  default void tooFar(GraphKind kind, PathType type) {}

  default void attemptEnded(GraphKind kind, Constraints constraints, AttemptEnd end, int steps) {}

  /**
   * The first pass is over; the second tries to raise the bandwidth of what was found.
   *
   * @param found channels that the first pass found
   * @param doubled channels after those that are fast enough have become two
   */
  default void secondPass(GraphKind kind, int found, int doubled) {}

  default void finished(GraphKind kind, SearchOutcome outcome) {}
}
