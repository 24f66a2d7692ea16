package dev.topo.reference;

import dev.topo.model.GpuNode;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The graphs of reference machines. Several tests begin with the same graphs: each search is made
 * once in a JVM.
 */
final class SearchedGraphs {
  private static final Map<Key, NodeGraphs> FOUND = new ConcurrentHashMap<>();

  /** What a search depends on. */
  private record Key(
      String version,
      String topology,
      List<GpuNode> gpus,
      NcclSettings settings,
      boolean crossesNetwork) {}

  private SearchedGraphs() {}

  /** The graphs of domains of a machine. */
  static GraphSource of(Path topologyFile) {
    String topology;
    try {
      topology = Files.readString(topologyFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return (domain, settings) -> found(topology, domain, settings);
  }

  private static NodeGraphs found(String topology, Domain domain, NcclSettings settings) {
    return FOUND.computeIfAbsent(
        new Key(
            domain.profile().version(),
            topology,
            domain.topology().gpus(),
            settings,
            domain.crossesNetwork()),
        key -> GraphSearch.findAll(domain, settings));
  }

  /** Drops the graphs of a version, which no later test needs. */
  static void forget(String version) {
    FOUND.keySet().removeIf(key -> key.version().equals(version));
  }
}
