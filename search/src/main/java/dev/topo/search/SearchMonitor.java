package dev.topo.search;

import dev.topo.model.graph.GraphKind;

/** Watches a search. The search calls it in order and from one thread; it must not disturb it. */
public interface SearchMonitor {
  /** Watches nothing. */
  SearchMonitor NONE = new SearchMonitor() {};

  /** How an attempt ended. */
  enum AttemptEnd {
    /** Every possibility was tried. */
    COMPLETE,
    /** As many channels as wanted were found, and nothing can be better. */
    PERFECT,
    /** The budget of steps was used up. */
    OUT_OF_STEPS
  }

  /** A set of constraints is about to be tried. */
  default void attemptStarted(GraphKind kind, Constraints constraints) {}

  /** The attempt found something better than all before it. */
  default void improved(GraphKind kind, int nChannels, int hops) {}

  /** The attempt is over. */
  default void attemptEnded(GraphKind kind, Constraints constraints, AttemptEnd end, int steps) {}

  /** The search for this graph is over. */
  default void finished(GraphKind kind, SearchOutcome outcome) {}
}
