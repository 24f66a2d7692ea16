package dev.topo.search.connect;

import dev.topo.model.Link.PathType;
import dev.topo.model.RecentMap;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.io.ContentHash;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog.SettingScope;
import dev.topo.search.engine.GraphSearch.GraphFileSource;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Caches the graphs of domains. The key covers all inputs of a search: nodes and links in order,
 * paths, the settings that a search reads, the rules of the release, and whether the job has other
 * nodes. A cached result is therefore identical to that of a new search. Graphs from
 * NCCL_GRAPH_FILE are not cached. The least recently used results are evicted; a search that ends
 * with a {@link CancellationException} is not kept. Thread-safe.
 */
public final class GraphCache implements GraphSource {
  /** The graphs of a domain take about 20 KiB. */
  private static final int MAX_ENTRIES = 1024;

  /** Scopes of the settings that a search reads. */
  static final Set<SettingScope> OF_SEARCH =
      Set.of(SettingScope.MACHINE, SettingScope.PATHS, SettingScope.SEARCH);

  private final GraphSource search;
  private final AtomicLong searches = new AtomicLong();

  private final Map<String, CompletableFuture<NodeGraphs>> cached = RecentMap.of(MAX_ENTRIES);

  /**
   * Creates an empty cache.
   *
   * @param search finds the graphs that are not cached
   */
  public GraphCache(GraphSource search) {
    this.search = search;
  }

  public long searches() {
    return searches.get();
  }

  @Override
  public NodeGraphs graphs(Domain domain, NcclSettings settings, Inputs inputs) {
    return graphs(domain, settings, inputs, search);
  }

  /**
   * A view of this cache in which another search finds the missing graphs. It must find the same
   * graphs as the search of this cache.
   */
  public GraphSource searchedBy(GraphSource otherSearch) {
    return (domain, settings, inputs) -> graphs(domain, settings, inputs, otherSearch);
  }

  private NodeGraphs graphs(
      Domain domain, NcclSettings settings, Inputs inputs, GraphSource source) {
    if (GraphFileSource.file(settings).isPresent()) {
      return source.graphs(domain, settings, inputs);
    }
    String key = key(domain, settings);
    while (true) {
      CompletableFuture<NodeGraphs> own = new CompletableFuture<>();
      CompletableFuture<NodeGraphs> earlier;
      synchronized (cached) {
        earlier = cached.putIfAbsent(key, own);
      }
      if (earlier == null) {
        search(source, key, domain, settings, inputs, own);
        return result(own);
      }
      try {
        return result(earlier);
      } catch (CancellationException e) {
        // The other search was cancelled and its entry removed: search again.
      }
    }
  }

  /**
   * Searches for graphs and completes {@code result}. A failure reaches all threads that wait for
   * the result; a cancelled search is removed from the cache.
   */
  private void search(
      GraphSource source,
      String key,
      Domain domain,
      NcclSettings settings,
      Inputs inputs,
      CompletableFuture<NodeGraphs> result) {
    searches.incrementAndGet();
    try {
      result.complete(source.graphs(domain, settings, inputs));
    } catch (RuntimeException | Error e) {
      if (e instanceof CancellationException) {
        synchronized (cached) {
          cached.remove(key, result);
        }
      }
      result.completeExceptionally(e);
      throw e;
    }
  }

  private static NodeGraphs result(CompletableFuture<NodeGraphs> search) {
    try {
      return search.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private static String key(Domain domain, NcclSettings settings) {
    Map<String, String> searched = new TreeMap<>(settings.values());
    searched.keySet().retainAll(settings.names(OF_SEARCH));
    ContentHash hash =
        new ContentHash()
            .add(domain.profile().version())
            .add(domain.crossesNetwork())
            .add(searched);
    Topology topology = domain.topology();
    for (int node = 0; node < topology.size(); node++) {
      hash.add(topology.node(node)).add(topology.links(node));
    }
    for (int node = 0; node < topology.size(); node++) {
      hash.add(paths(domain.paths(), node));
    }
    return hash.key();
  }

  /** The paths from a node as text; they may lead through devices outside the domain. */
  private static String paths(Paths paths, int from) {
    StringBuilder text = new StringBuilder();
    for (int to = 0; to < paths.topology().size(); to++) {
      if (paths.type(from, to) != PathType.DIS) {
        text.append(to)
            .append(paths.type(from, to))
            .append(paths.bwGBps(from, to))
            .append(Arrays.toString(paths.links(from, to)));
      }
    }
    return text.toString();
  }
}
