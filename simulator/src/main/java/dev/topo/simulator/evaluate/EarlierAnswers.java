package dev.topo.simulator.evaluate;

import dev.topo.model.RecentMap;
import dev.topo.model.Topology;
import dev.topo.search.connect.GraphCache;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.topology.TopologySource;

/**
 * What a process that answers many questions, one after another, keeps of earlier ones.
 *
 * @param graphs finds the graphs of machines
 * @param topologies the topologies by the elements of their files
 * @param results the connected jobs with the loads of their links, by their requests without calls;
 *     not thread-safe
 */
public record EarlierAnswers(
    GraphSource graphs,
    RecentMap.Results<TopologySource.Source, Topology> topologies,
    RecentMap.Results<JobRequest, JobResult> results) {
  /** Most topologies and results. */
  private static final int MOST = 64;

  /** Keeps nothing but what a source of graphs keeps. */
  public static EarlierAnswers none(GraphSource graphs) {
    return of(graphs, 0);
  }

  /** Keeps what the questions of a process have in common. */
  public static EarlierAnswers kept() {
    return of(new GraphCache(GraphSearch::findAll), MOST);
  }

  private static EarlierAnswers of(GraphSource graphs, int most) {
    return new EarlierAnswers(graphs, new RecentMap.Results<>(most), new RecentMap.Results<>(most));
  }
}
