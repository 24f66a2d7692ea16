package dev.topo.cli;

import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.path.Domain;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.GraphReader;
import dev.topo.search.GraphSearch;
import dev.topo.search.SearchMonitor;
import java.nio.file.Path;
import java.util.Optional;

/** Searches for graphs as the settings say: those in NCCL_GRAPH_FILE are taken as they are. */
final class StatedGraphs {
  private StatedGraphs() {}

  /** The graphs of a domain. */
  static NodeGraphs search(Domain domain, NcclSettings settings) {
    return search(domain, settings, SearchMonitor.NONE);
  }

  /** The graphs of a domain; {@code monitor} watches the search. */
  static NodeGraphs search(Domain domain, NcclSettings settings, SearchMonitor monitor) {
    Optional<NodeGraphs> stated =
        settings
            .text("NCCL_GRAPH_FILE")
            .map(file -> new GraphReader(domain.topology()).read(Path.of(file)));
    return new GraphSearch(domain, settings, stated, monitor).findAll();
  }
}
