package dev.topo.cli.job;

import dev.topo.cli.output.Streams;
import dev.topo.cli.terminal.Progress;
import dev.topo.cli.terminal.SearchProgress;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.node.GpuNode;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.GraphReader;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.graph.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.request.SearchMonitor;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Searches for graphs as the settings say: those in NCCL_GRAPH_FILE are taken as they are. */
public final class GraphFileSource {
  private GraphFileSource() {}

  /** Searches, and shows how far each search is to who waits for it. */
  public static GraphSource searched(Streams streams) {
    Progress progress = streams.progress();
    return (domain, settings) -> {
      if (!progress.isShown()) {
        return search(domain, settings, SearchMonitor.NONE);
      }
      try (Progress.Task task = progress.begin("")) {
        return search(domain, settings, new SearchProgress(task));
      }
    };
  }

  /** NCCL goes by such a file blindly; a channel that is none has no answer. */
  private static NodeGraphs read(String file, Domain domain) {
    Topology topology = domain.topology();
    NodeGraphs graphs = new GraphReader(topology, domain.crossesNetwork()).read(Path.of(file));
    List<Integer> all = topology.gpus().stream().map(GpuNode::rank).sorted().toList();
    for (ChannelGraph graph : graphs.all()) {
      for (Channel channel : graph.channels()) {
        // Of a channel of NVLS a file has the head only.
        if (graph.kind() != GraphKind.NVLS
            && !channel.ranks().stream().sorted().toList().equals(all)) {
          throw new TopologyFormatException(
              SourceLocation.of(file),
              "a channel of the "
                  + graph.kind().label()
                  + " graph has the GPUs of ranks "
                  + channel.ranks()
                  + ", expected each of "
                  + all
                  + " once");
        }
      }
    }
    return domain.crossesNetwork() ? graphs : withoutNets(graphs);
  }

  /** On one node a dump of several serves, too; NCCL passes over its ports. */
  private static NodeGraphs withoutNets(NodeGraphs graphs) {
    return new NodeGraphs(
        Stream.of(GraphKind.values())
            .flatMap(kind -> graphs.find(kind).stream())
            .map(ChannelGraph::withoutNets)
            .toList());
  }

  /** The graphs of a domain; {@code monitor} watches the search. */
  public static NodeGraphs search(Domain domain, NcclSettings settings, SearchMonitor monitor) {
    Optional<NodeGraphs> stated = settings.text("NCCL_GRAPH_FILE").map(file -> read(file, domain));
    return new GraphSearch(domain, settings, stated, monitor).findAll();
  }
}
