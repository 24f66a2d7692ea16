package dev.topo.visualizer.structure;

import dev.topo.model.PathType;
import dev.topo.model.Topology;
import dev.topo.search.path.Domain;
import dev.topo.search.path.NodePath;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;

/** Paths as JSON: {@code paths[]} with {@code from, to, type, bandwidthGBps, hops, via[]}. */
public final class PathsJson {
  private record Paths(JobSummary job, List<PathEntry> paths) {}

  private record PathEntry(
      String from, String to, PathType type, float bandwidthGBps, int hops, List<String> via) {}

  private PathsJson() {}

  /** Every pair, with the nodes between. */
  public static Answer of(String name, List<Domain> domains) {
    List<PathEntry> paths = new ArrayList<>();
    int ranks = 0;
    for (Domain domain : domains) {
      Topology topology = domain.topology();
      ranks += topology.gpus().size();
      int[] ends = PathsText.ends(topology);
      for (int from : ends) {
        for (int to : ends) {
          paths.add(entry(topology, domain.paths().path(from, to)));
        }
      }
    }
    return Json.document("paths", new Paths(new JobSummary(name, 1, ranks), paths));
  }

  private static PathEntry entry(Topology topology, NodePath path) {
    return new PathEntry(
        topology.node(path.from()).label(),
        topology.node(path.to()).label(),
        path.type(),
        path.bwGBps(),
        path.hops(),
        path.links().stream()
            .map(link -> link.type() + " " + topology.node(link.to()).label())
            .toList());
  }
}
