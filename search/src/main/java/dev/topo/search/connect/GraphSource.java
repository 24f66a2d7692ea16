package dev.topo.search.connect;

import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.path.Domain;

/** Where the graphs of a node come from: a search, usually. Asked once for equal nodes. */
@FunctionalInterface
public interface GraphSource {
  /** All graphs of a domain under the settings of its machine. */
  NodeGraphs graphs(Domain domain, NcclSettings settings);
}
