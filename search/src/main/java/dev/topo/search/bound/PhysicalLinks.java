package dev.topo.search.bound;

import dev.topo.model.Link;
import dev.topo.model.LinkType;
import dev.topo.model.NodeType;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The links of a node with their raw rates, each direction by itself, in a fixed order. Immutable.
 *
 * @param domain the devices
 * @param scope which links are counted
 * @param gbps the rate of each link in GB/s; {@link LinkRates#UNLIMITED_GBPS} stands for no limit
 */
public record PhysicalLinks(Domain domain, LinkScope scope, SortedMap<Link, Double> gbps) {
  public PhysicalLinks {
    SortedMap<Link, Double> copy = new TreeMap<>(Link.BY_ENDS);
    copy.putAll(gbps);
    gbps = Collections.unmodifiableSortedMap(copy);
  }

  /** The links of a domain; those to its ports only if the job crosses the network. */
  static PhysicalLinks of(Domain domain, LinkScope scope) {
    SortedMap<Link, Double> found = new TreeMap<>(Link.BY_ENDS);
    switch (scope) {
      case PATHS -> addPaths(domain, found);
      case ALL -> {
        for (int node = 0; node < domain.topology().size(); node++) {
          domain.topology().links(node).forEach(link -> put(domain, link, found));
        }
      }
    }
    return new PhysicalLinks(domain, scope, found);
  }

  /** The rate of a link; 0 if it is not counted. */
  double gbps(Link link) {
    return Objects.requireNonNull(gbps.getOrDefault(link, 0.0));
  }

  /** The links that are no limit because their rate is not known: of ports and between CPUs. */
  public List<Link> unknown() {
    return gbps.entrySet().stream()
        .filter(entry -> entry.getValue() >= LinkRates.UNLIMITED_GBPS)
        .map(Map.Entry::getKey)
        .filter(link -> link.type() == LinkType.NET || link.type() == LinkType.SYS)
        .toList();
  }

  private static void addPaths(Domain domain, SortedMap<Link, Double> found) {
    int[] gpus = domain.topology().indexes(NodeType.GPU);
    int[] ports = domain.crossesNetwork() ? domain.topology().indexes(NodeType.NET) : new int[0];
    for (int gpu : gpus) {
      for (int other : gpus) {
        addPath(domain, gpu, other, found);
      }
      for (int port : ports) {
        addPath(domain, gpu, port, found);
        addPath(domain, port, gpu, found);
      }
    }
  }

  private static void addPath(Domain domain, int from, int to, SortedMap<Link, Double> found) {
    Paths paths = domain.paths();
    if (from != to) {
      paths.path(from, to).links().forEach(link -> put(domain, link, found));
    }
  }

  private static void put(Domain domain, Link link, SortedMap<Link, Double> found) {
    if (!found.containsKey(link)) {
      found.put(link, LinkRates.gbps(domain.topology(), link, domain.profile()));
    }
  }
}
