package dev.topo.visualizer.structure;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.search.path.Domain;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;

/**
 * The graphs of a domain.
 *
 * @param place where in the job it is
 * @param domain the devices
 * @param graphs the graphs
 */
public record FoundGraphs(Place place, Domain domain, NodeGraphs graphs) {
  private static final Fields<Channel> CHANNEL =
      Fields.of(Channel.class)
          .field("netIn", channel -> channel.nets().map(nets -> nets.in().toString()))
          .components("ranks")
          .field("netOut", channel -> channel.nets().map(nets -> nets.out().toString()));

  private static final Fields<ChannelGraph> GRAPH =
      Fields.of(ChannelGraph.class)
          .components("kind")
          .field("id", graph -> graph.kind().id())
          .components("pattern", "crossNic")
          .field("nChannels", ChannelGraph::nChannels)
          .components(
              "bwIntra", "bwInter", "latencyInter", "typeIntra", "typeInter", "sameChannels")
          .list("channels", ChannelGraph::channels, CHANNEL);

  private static final Fields<FoundGraphs> DOMAIN =
      Fields.of(FoundGraphs.class)
          .field("job", FoundGraphs::job)
          .field("split", found -> found.place().split())
          .field("onNodes", found -> found.place().nodes())
          .field(
              "gpuRanks",
              found -> found.domain().topology().gpus().stream().map(GpuNode::rank).toList())
          .list("graphs", found -> found.graphs().all(), GRAPH);

  /**
   * Where in a job some graphs belong.
   *
   * @param machines the machines of the communicator in words
   * @param split the communicators of a split that these are, as a list of colours; empty for the
   *     whole job
   * @param nMachines number of machines of the communicator
   * @param nRanks number of its ranks
   * @param nodes the machines that these graphs are for, as a list of numbers; empty for all
   * @param group which group of GPUs that only the network joins, from 1
   * @param groups number of such groups
   */
  public record Place(
      String machines,
      String split,
      int nMachines,
      int nRanks,
      String nodes,
      int group,
      int groups) {}

  /**
   * Graphs as JSON: {@code domains[]} with {@code job, split, onNodes, gpuRanks[], graphs[]};
   * {@code onNodes} is empty where all nodes of the job have these graphs.
   */
  public static Answer json(List<FoundGraphs> sets) {
    return Json.document("search", "domains", DOMAIN, sets);
  }

  private JobSummary job() {
    return new JobSummary(place.machines(), place.nMachines(), place.nRanks());
  }
}
