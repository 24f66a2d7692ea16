package dev.topo.search.connect;

import dev.topo.model.Link.PathType;
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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds the graphs of domains, those of equal ones once. Domains are equal if all that a search
 * reads is: nodes and links in their order, paths, the settings that a search follows, rules, and
 * whether there are other nodes. So an answer from the cache is the answer of a search, bit for
 * bit. Graphs from NCCL_GRAPH_FILE are read each time. For several threads; the results that were
 * not used for longest are forgotten, and so is a search that ends by a {@link
 * CancellationException}.
 */
public final class GraphCache implements GraphSource {
  /** Graphs of a domain take some 20 KiB. */
  private static final int MOST = 1024;

  /** Settings that a search follows. */
  static final Set<SettingScope> OF_SEARCH =
      Set.of(SettingScope.MACHINE, SettingScope.PATHS, SettingScope.SEARCH);

  private final GraphSource search;
  private final AtomicLong searches = new AtomicLong();

  private final Map<String, CompletableFuture<NodeGraphs>> known =
      new LinkedHashMap<>(MOST, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(
            Map.Entry<String, CompletableFuture<NodeGraphs>> eldest) {
          return size() > MOST;
        }
      };

  /** A cache of what a search finds. */
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

  /** The graphs known here, with another search, which finds the same, for the others. */
  public GraphSource searchedBy(GraphSource other) {
    return (domain, settings, inputs) -> graphs(domain, settings, inputs, other);
  }

  private NodeGraphs graphs(
      Domain domain, NcclSettings settings, Inputs inputs, GraphSource source) {
    if (GraphFileSource.file(settings).isPresent()) {
      return source.graphs(domain, settings, inputs);
    }
    String key = key(domain, settings);
    while (true) {
      CompletableFuture<NodeGraphs> mine = new CompletableFuture<>();
      CompletableFuture<NodeGraphs> earlier;
      synchronized (known) {
        earlier = known.putIfAbsent(key, mine);
      }
      if (earlier == null) {
        search(source, key, domain, settings, inputs, mine);
        return result(mine);
      }
      try {
        return result(earlier);
      } catch (CancellationException e) {
        continue; // Who searched was stopped, and its search is forgotten: this one is not.
      }
    }
  }

  /** Others that wait for the search fail as it does, except where it is stopped. */
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
        synchronized (known) {
          known.remove(key, result);
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

  /** The paths from a node, which may lead over devices that are not in the domain. */
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
