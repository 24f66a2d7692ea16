package dev.topo.simulator.sweep;

import dev.topo.model.Topology;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Finds the graphs of domains, those of equal ones once. Domains are equal if all that a search
 * reads is: nodes and links in their order, the machine that paths come from, settings, rules, and
 * whether there are other nodes. So an answer from the cache is the answer of a search, bit for
 * bit. For several threads; the results that were not used for longest are forgotten.
 */
final class GraphCache {
  /** Graphs of a domain take some 20 KiB. */
  private static final int MOST = 1024;

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

  /** The graphs of the domains of the machines of a job. */
  GraphSource of(Job job) {
    String content =
        job.machines().stream()
            .map(Machine::topology)
            .distinct()
            .map(GraphCache::content)
            .collect(Collectors.joining(" "));
    return (domain, settings) -> graphs(content, domain, settings);
  }

  /** Number of searches so far. */
  public long searches() {
    return searches.get();
  }

  private NodeGraphs graphs(String machine, Domain domain, NcclSettings settings) {
    String key =
        new ContentHash()
            .add(machine)
            .add(content(domain.topology()))
            .add(domain.crossesNetwork())
            .add(domain.profile().version())
            .add(new TreeMap<>(settings.values()))
            .key();
    CompletableFuture<NodeGraphs> mine = new CompletableFuture<>();
    CompletableFuture<NodeGraphs> there;
    synchronized (known) {
      there = known.putIfAbsent(key, mine);
    }
    if (there == null) {
      search(domain, settings, mine);
      return result(mine);
    }
    return result(there);
  }

  /** Others that wait for the search fail as it does. */
  private void search(Domain domain, NcclSettings settings, CompletableFuture<NodeGraphs> result) {
    searches.incrementAndGet();
    try {
      result.complete(GraphSearch.findAll(domain, settings));
    } catch (RuntimeException | Error e) {
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

  private static String content(Topology topology) {
    ContentHash hash = new ContentHash();
    for (int node = 0; node < topology.size(); node++) {
      hash.add(topology.node(node)).add(topology.links(node));
    }
    return hash.key();
  }
}
