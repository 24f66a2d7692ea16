package dev.topo.visualizer.structure;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;

/**
 * Graphs as JSON: {@code domains[]} with {@code job, split, onNodes, gpuRanks[], graphs[]}; {@code
 * onNodes} is empty where all nodes of the job have these graphs.
 */
public final class GraphsJson {
  private static final Fields<Channel> CHANNEL =
      Fields.of(Channel.class)
          .field("netIn", channel -> channel.nets().map(nets -> nets.in().toString()))
          .field("ranks", Channel::ranks)
          .field("netOut", channel -> channel.nets().map(nets -> nets.out().toString()));

  private static final Fields<ChannelGraph> GRAPH =
      Fields.of(ChannelGraph.class)
          .field("kind", ChannelGraph::kind)
          .field("id", graph -> graph.kind().id())
          .field("pattern", ChannelGraph::pattern)
          .field("crossNic", ChannelGraph::crossNic)
          .field("nChannels", ChannelGraph::nChannels)
          .field("bwIntra", ChannelGraph::bwIntra)
          .field("bwInter", ChannelGraph::bwInter)
          .field("latencyInter", ChannelGraph::latencyInter)
          .field("typeIntra", ChannelGraph::typeIntra)
          .field("typeInter", ChannelGraph::typeInter)
          .field("sameChannels", ChannelGraph::sameChannels)
          .list("channels", ChannelGraph::channels, CHANNEL);

  private static final Fields<FoundGraphs> DOMAIN =
      Fields.of(FoundGraphs.class)
          .field("job", GraphsJson::job)
          .field("split", found -> found.place().split())
          .field("onNodes", found -> found.place().nodes())
          .field(
              "gpuRanks",
              found -> found.domain().topology().gpus().stream().map(GpuNode::rank).toList())
          .list("graphs", found -> found.graphs().all(), GRAPH);

  private GraphsJson() {}

  /** The graphs of a job, one entry for each set. */
  public static Answer of(List<FoundGraphs> sets) {
    return Json.document("search", "domains", DOMAIN, sets);
  }

  private static JobSummary job(FoundGraphs found) {
    FoundGraphs.Place place = found.place();
    return new JobSummary(place.machines(), place.nMachines(), place.nRanks());
  }
}
