package dev.topo.search.request;

import dev.topo.model.graph.ChannelGraph;

/** How a search ended. */
public sealed interface SearchOutcome {
  /** The graph that NCCL uses from here on. */
  ChannelGraph graph();

  /** How much work it was. */
  SearchStats stats();

  /**
   * Channels were found.
   *
   * @param graph the channels
   * @param stats the work
   */
  record Found(ChannelGraph graph, SearchStats stats) implements SearchOutcome {}

  /**
   * Channels were found, but an attempt was cut off by its budget: there may be better ones.
   *
   * @param graph the best channels seen
   * @param stats the work
   */
  record BudgetExhausted(ChannelGraph graph, SearchStats stats) implements SearchOutcome {}

  /**
   * No channels fit. For rings and trees NCCL falls back to one channel in the order of the GPUs at
   * 0.1 GB/s; for the other kinds the graph is empty.
   *
   * @param graph the fallback
   * @param stats the work
   */
  record Infeasible(ChannelGraph graph, SearchStats stats) implements SearchOutcome {}

  /**
   * There was nothing to search: the graph came from a file, or the machine has nothing of the
   * kind.
   *
   * @param graph the graph
   */
  record NotSearched(ChannelGraph graph) implements SearchOutcome {

    @Override
    public SearchStats stats() {
      return new SearchStats(0, 0);
    }
  }
}
