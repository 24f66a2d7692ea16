package dev.topo.cli.output.graph;

import dev.topo.cli.output.Json;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.node.GpuNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Graphs as JSON: {@code domains[]} with {@code machines, split, nodes, ranks[], graphs[]}. */
public final class GraphsJson {
  private GraphsJson() {}

  /** The graphs of a job, one entry for each set. */
  public static String of(List<FoundGraphs> sets) {
    List<Map<String, Object>> domains = new ArrayList<>();
    for (FoundGraphs found : sets) {
      Map<String, Object> domain = new LinkedHashMap<>();
      domain.put("machines", found.place().machines());
      domain.put("split", found.place().split());
      domain.put("nMachines", found.place().nMachines());
      domain.put("nodes", found.place().nodes());
      domain.put("ranks", found.domain().topology().gpus().stream().map(GpuNode::rank).toList());
      domain.put("graphs", found.graphs().all().stream().map(GraphsJson::graph).toList());
      domains.add(domain);
    }
    return Json.write(Map.of("domains", domains));
  }

  private static Map<String, Object> graph(ChannelGraph graph) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("kind", graph.kind().label());
    entry.put("id", graph.kind().id());
    entry.put("pattern", graph.pattern().name());
    entry.put("crossNic", graph.crossNic());
    entry.put("nChannels", graph.nChannels());
    entry.put("bwIntra", Json.number(graph.bwIntra()));
    entry.put("bwInter", Json.number(graph.bwInter()));
    entry.put("latencyInter", Json.number(graph.latencyInter()));
    entry.put("typeIntra", graph.typeIntra().name());
    entry.put("typeInter", graph.typeInter().name());
    entry.put("sameChannels", graph.sameChannels());
    entry.put("channels", graph.channels().stream().map(GraphsJson::channel).toList());
    return entry;
  }

  private static Map<String, Object> channel(Channel channel) {
    Map<String, Object> entry = new LinkedHashMap<>();
    channel.nets().ifPresent(nets -> entry.put("netIn", nets.in().toString()));
    entry.put("ranks", channel.ranks());
    channel.nets().ifPresent(nets -> entry.put("netOut", nets.out().toString()));
    return entry;
  }
}
