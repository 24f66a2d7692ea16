package dev.topo.visualizer.structure;

import dev.topo.model.GpuNode;
import dev.topo.model.PathType;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.Pattern;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Optional;

/**
 * Graphs as JSON: {@code domains[]} with {@code job, split, onNodes, gpuRanks[], graphs[]}; {@code
 * onNodes} is empty where all nodes of the job have these graphs.
 */
public final class GraphsJson {
  private record Search(List<DomainEntry> domains) {}

  private record DomainEntry(
      JobSummary job, String split, String onNodes, List<Integer> gpuRanks, List<Graph> graphs) {}

  private record Graph(
      GraphKind kind,
      int id,
      Pattern pattern,
      int crossNic,
      int nChannels,
      float bwIntra,
      float bwInter,
      float latencyInter,
      PathType typeIntra,
      PathType typeInter,
      boolean sameChannels,
      List<ChannelEntry> channels) {}

  private record ChannelEntry(
      Optional<String> netIn, List<Integer> ranks, Optional<String> netOut) {}

  private GraphsJson() {}

  /** The graphs of a job, one entry for each set. */
  public static Answer of(List<FoundGraphs> sets) {
    return Json.document("search", new Search(sets.stream().map(GraphsJson::domain).toList()));
  }

  private static DomainEntry domain(FoundGraphs found) {
    FoundGraphs.Place place = found.place();
    return new DomainEntry(
        new JobSummary(place.machines(), place.nMachines(), place.nRanks()),
        place.split(),
        place.nodes(),
        found.domain().topology().gpus().stream().map(GpuNode::rank).toList(),
        found.graphs().all().stream().map(GraphsJson::graph).toList());
  }

  private static Graph graph(ChannelGraph graph) {
    return new Graph(
        graph.kind(),
        graph.kind().id(),
        graph.pattern(),
        graph.crossNic(),
        graph.nChannels(),
        graph.bwIntra(),
        graph.bwInter(),
        graph.latencyInter(),
        graph.typeIntra(),
        graph.typeInter(),
        graph.sameChannels(),
        graph.channels().stream().map(GraphsJson::channel).toList());
  }

  private static ChannelEntry channel(Channel channel) {
    return new ChannelEntry(
        channel.nets().map(nets -> nets.in().toString()),
        channel.ranks(),
        channel.nets().map(nets -> nets.out().toString()));
  }
}
