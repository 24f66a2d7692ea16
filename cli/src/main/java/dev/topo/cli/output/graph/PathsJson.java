package dev.topo.cli.output.graph;

import dev.topo.cli.output.Json;
import dev.topo.model.Link;
import dev.topo.model.Topology;
import dev.topo.search.path.Domain;
import dev.topo.search.path.NodePath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Paths as JSON: {@code machine}, {@code paths[]} with {@code from, to, type, bwGBps, hops, via[]}.
 */
public final class PathsJson {
  private PathsJson() {}

  /** Every pair, with the nodes on the path. */
  public static String of(String name, List<Domain> domains) {
    List<Map<String, Object>> paths = new ArrayList<>();
    for (Domain domain : domains) {
      Topology topology = domain.topology();
      int[] ends = PathsText.ends(topology);
      for (int from : ends) {
        for (int to : ends) {
          paths.add(entry(topology, domain.paths().path(from, to)));
        }
      }
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("machine", name);
    tree.put("paths", paths);
    return Json.write(tree);
  }

  private static Map<String, Object> entry(Topology topology, NodePath path) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("from", topology.node(path.from()).label());
    entry.put("to", topology.node(path.to()).label());
    entry.put("type", path.type().name());
    entry.put("bwGBps", Json.number(path.bwGBps()));
    entry.put("hops", path.hops());
    List<String> via = new ArrayList<>();
    for (Link link : path.links()) {
      via.add(link.type() + " " + topology.node(link.to()).label());
    }
    entry.put("via", via);
    return entry;
  }
}
