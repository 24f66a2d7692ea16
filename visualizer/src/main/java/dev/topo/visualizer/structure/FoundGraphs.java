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
 * The graphs that NCCL finds for a domain.
 *
 * @param place which part of the job the graphs belong to
 * @param domain the domain that was searched
 * @param graphs the graphs that were found
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
   * The part of a job that some graphs belong to.
   *
   * @param machines a description of the machines of the communicator
   * @param split the communicators of the split that have these graphs, as a list of colours; empty
   *     for the whole job
   * @param nMachines the number of machines of the communicator
   * @param nRanks the number of ranks of the communicator
   * @param nodes the machines that have these graphs, as a list of numbers; empty for all
   * @param group the number, from 1, of the group of GPUs; groups are joined only by the network
   * @param groups the number of such groups
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
   * The graphs as JSON: {@code domains[]} with {@code job, split, onNodes, gpuRanks[], graphs[]}.
   * {@code onNodes} is empty where all nodes of the job have these graphs.
   */
  public static Answer json(List<FoundGraphs> sets) {
    return Json.document("search", "domains", DOMAIN, sets);
  }

  private JobSummary job() {
    return new JobSummary(place.machines(), place.nMachines(), place.nRanks());
  }
}
