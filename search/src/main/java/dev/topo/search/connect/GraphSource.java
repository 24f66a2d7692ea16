package dev.topo.search.connect;

import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.path.Domain;

/** Supplies the graphs of a node, usually by a search. Equal nodes need only one call. */
@FunctionalInterface
public interface GraphSource {
  /**
   * Returns all graphs of a domain under the settings of its machine.
   *
   * @param inputs reads the file of NCCL_GRAPH_FILE
   */
  NodeGraphs graphs(Domain domain, NcclSettings settings, Inputs inputs);
}
