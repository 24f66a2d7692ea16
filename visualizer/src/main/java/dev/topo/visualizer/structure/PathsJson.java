package dev.topo.visualizer.structure;

import dev.topo.model.Topology;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths.NodePath;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;

/** Paths as JSON: {@code paths[]} with {@code from, to, type, bandwidthGBps, hops, via[]}. */
public final class PathsJson {
  private PathsJson() {}

  /** Every pair, with the nodes between. */
  public static Answer of(String name, List<Domain> domains) {
    int ranks = domains.stream().mapToInt(domain -> domain.topology().gpus().size()).sum();
    return Json.document(
        "paths",
        Fields.of(List.class)
            .field("job", all -> new JobSummary(name, 1, ranks))
            .field(
                "paths",
                all -> domains.stream().flatMap(domain -> paths(domain).stream()).toList()),
        domains);
  }

  private static List<Object> paths(Domain domain) {
    int[] ends = PathsText.ends(domain.topology());
    List<NodePath> paths = new ArrayList<>();
    for (int from : ends) {
      for (int to : ends) {
        paths.add(domain.paths().path(from, to));
      }
    }
    return path(domain.topology()).json(paths);
  }

  private static Fields<NodePath> path(Topology topology) {
    return Fields.of(NodePath.class)
        .field("from", path -> topology.node(path.from()).label())
        .field("to", path -> topology.node(path.to()).label())
        .field("type", NodePath::type)
        .field("bandwidthGBps", NodePath::bwGBps)
        .formerly("bwGBps")
        .field("hops", NodePath::hops)
        .field(
            "via",
            path ->
                path.links().stream()
                    .map(link -> link.type() + " " + topology.node(link.to()).label())
                    .toList());
  }
}
