package dev.topo.cli.option;

import dev.topo.cli.output.Streams;
import dev.topo.cli.terminal.Progress;
import dev.topo.cli.terminal.SearchProgress;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.path.Domain;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.GraphReader;
import dev.topo.search.GraphSearch;
import dev.topo.search.SearchMonitor;
import dev.topo.search.connect.GraphSource;
import java.nio.file.Path;
import java.util.Optional;

/** Searches for graphs as the settings say: those in NCCL_GRAPH_FILE are taken as they are. */
public final class StatedGraphs {
  private StatedGraphs() {}

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

  /** The graphs of a domain; {@code monitor} watches the search. */
  public static NodeGraphs search(Domain domain, NcclSettings settings, SearchMonitor monitor) {
    Optional<NodeGraphs> stated =
        settings
            .text("NCCL_GRAPH_FILE")
            .map(file -> new GraphReader(domain.topology()).read(Path.of(file)));
    return new GraphSearch(domain, settings, stated, monitor).findAll();
  }
}
