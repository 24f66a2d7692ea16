package dev.topo.search.engine;

import dev.topo.model.GpuNode;
import dev.topo.model.Topology;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.GraphReader;
import dev.topo.search.path.Domain;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the graphs that NCCL_GRAPH_FILE gives for a domain. */
public final class GraphFileSource {
  private static final String SETTING = "NCCL_GRAPH_FILE";

  private GraphFileSource() {}

  /** The graph file of a job; empty if NCCL searches for all graphs. */
  public static Optional<String> file(NcclSettings settings) {
    return settings.text(SETTING);
  }

  /**
   * The graphs of the file that the settings name; empty if they name none.
   *
   * @param inputs reads the file
   * @throws TopologyFormatException if the file does not fit the domain
   */
  static Optional<NodeGraphs> read(Domain domain, NcclSettings settings, Inputs inputs) {
    return file(settings).map(file -> read(file, domain, inputs));
  }

  /** NCCL does not check the channels of such a file; incomplete ones are rejected here. */
  private static NodeGraphs read(String file, Domain domain, Inputs inputs) {
    Topology topology = domain.topology();
    NodeGraphs graphs =
        new GraphReader(topology, domain.crossesNetwork(), domain.profile().search().graphFormat)
            .read(Path.of(file), inputs);
    List<Integer> expected = topology.gpus().stream().map(GpuNode::rank).sorted().toList();
    for (ChannelGraph graph : graphs.all()) {
      for (Channel channel : graph.channels()) {
        // A channel of NVLS has only its head in a file.
        if (graph.kind() != GraphKind.NVLS
            && !channel.ranks().stream().sorted().toList().equals(expected)) {
          throw new TopologyFormatException(
              file,
              "a channel of the %s graph has the GPUs of ranks %s, expected each of %s once"
                  .formatted(graph.kind().label(), channel.ranks(), expected));
        }
      }
    }
    return domain.crossesNetwork() ? graphs : withoutNets(graphs);
  }

  /** On one node NCCL ignores the ports of a file that was dumped on several. */
  private static NodeGraphs withoutNets(NodeGraphs graphs) {
    return new NodeGraphs(
        Stream.of(GraphKind.values())
            .flatMap(kind -> graphs.find(kind).stream())
            .map(ChannelGraph::withoutNets)
            .toList());
  }
}
