package dev.topo.search.engine;

import dev.topo.model.graph.ChannelGraph;

/** How a search ended. */
public sealed interface SearchOutcome {
  /** The graph that NCCL uses from here on. */
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
   * No channels fit. For rings and trees NCCL falls back to one channel in the order of the GPUs at
   * 0.1 GB/s; for the other kinds the graph is empty.
   */
  record Infeasible(ChannelGraph graph, Stats stats) implements SearchOutcome {}

  /**
   * There was nothing to search: the graph came from a file, or the machine has nothing of the
   * kind.
   */
  record NotSearched(ChannelGraph graph) implements SearchOutcome {

    @Override
    public Stats stats() {
      return new Stats(0, 0);
    }
  }
}
