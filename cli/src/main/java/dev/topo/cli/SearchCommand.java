package dev.topo.cli;

import dev.topo.cli.output.FoundGraphs;
import dev.topo.cli.output.GraphsJson;
import dev.topo.cli.output.GraphsText;
import dev.topo.cli.output.Streams;
import dev.topo.model.Topology;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.path.Domain;
import dev.topo.model.path.DomainFinder;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.GraphReader;
import dev.topo.model.xml.GraphWriter;
import dev.topo.search.GraphSearch;
import dev.topo.search.SearchMonitor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code topo search}: the graphs NCCL finds. */
@Command(
    name = "search",
    description =
        "The channels NCCL finds on a machine: rings, trees, and what NVLS and CollNet need.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The xml format is that of NCCL_GRAPH_DUMP_FILE, which NCCL_GRAPH_FILE takes.",
      "",
      "Example: topo search topologies/dgx-h100.xml --env NCCL_NVLS_ENABLE=0"
    })
final class SearchCommand extends MachineCommand {
  @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private SearchFormat format = SearchFormat.text;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Equal machines in the job (default: ${DEFAULT-VALUE}).")
  private int nodes = 1;

  private enum SearchFormat implements Format {
    text,
    xml,
    json;

    @Override
    public String extension() {
      return isText() ? ".txt" : "." + name();
    }

    @Override
    public boolean isText() {
      return this == text;
    }
  }

  SearchCommand(Streams streams, Map<String, String> environment) {
    super(streams, environment);
  }

  @Override
  Format format() {
    return format;
  }

  @Override
  String answer(String name, Topology topology, NcclSettings settings, Streams messages) {
    List<FoundGraphs> found = new ArrayList<>();
    for (Domain domain : DomainFinder.find(topology, settings, nodes > 1)) {
      Optional<NodeGraphs> stated =
          settings
              .text("NCCL_GRAPH_FILE")
              .map(file -> new GraphReader(domain.topology()).read(Path.of(file)));
      GraphSearch search = new GraphSearch(domain, settings, stated, SearchMonitor.NONE);
      found.add(new FoundGraphs(domain, search.findAll()));
    }
    return switch (format) {
      case text -> GraphsText.of(name, nodes, found);
      case json -> GraphsJson.of(name, nodes, found);
      case xml -> xml(found, messages);
    };
  }

  /** NCCL dumps the graphs of rank 0. */
  private static String xml(List<FoundGraphs> found, Streams messages) {
    FoundGraphs first = found.get(0);
    if (found.size() > 1) {
      messages.message(
          "note: the GPUs form "
              + found.size()
              + " groups that only the network joins; these are the graphs of rank 0");
    }
    return GraphWriter.write(first.graphs(), first.domain().topology());
  }
}
