package dev.topo.search.bound;

import dev.topo.model.NetNode;
import dev.topo.model.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The different nodes of a job, each once, in the order of the first of each kind. */
final class NodeKinds {
  private final Connection connection;
  private final Map<Alike, NodeCuts> kinds = new LinkedHashMap<>();
  private final Map<Domain, Alike> kindOf = new IdentityHashMap<>();
  private final boolean networkReduces;

  NodeKinds(Connection connection, Optional<Paths> actual, LinkScope scope) {
    this.connection = connection;
    Map<Domain, Integer> counts = new IdentityHashMap<>();
    for (int node = 0; node < connection.nNodes(); node++) {
      counts.merge(connection.domain(node), 1, Integer::sum);
    }
    Map<Alike, Integer> sums = new LinkedHashMap<>();
    Map<Alike, Integer> first = new HashMap<>();
    boolean reduces = connection.nNodes() > 1;
    for (int node = 0; node < connection.nNodes(); node++) {
      Domain domain = connection.domain(node);
      Integer count = counts.remove(domain);
      if (count != null) {
        Domain used =
            actual.map(paths -> new Domain(paths, domain.crossesNetwork())).orElse(domain);
        Alike alike = Alike.of(PhysicalLinks.of(used, scope));
        sums.merge(alike, count, Integer::sum);
        first.putIfAbsent(alike, node);
        kindOf.put(domain, alike);
        reduces &= used.topology().nets().stream().anyMatch(NetNode::collNet);
      }
    }
    sums.forEach(
        (alike, count) ->
            kinds.put(
                alike,
                NodeCuts.of(
                    alike.links,
                    Objects.requireNonNull(first.get(alike)),
                    count,
                    connection.nRanks())));
    this.networkReduces = reduces;
  }

  /** Nodes whose links and terminals are the same by number; names do not count. */
  private static final class Alike {
    private final PhysicalLinks links;
    private final List<Object> key;

    private Alike(PhysicalLinks links, List<Object> key) {
      this.links = links;
      this.key = key;
    }

    static Alike of(PhysicalLinks links) {
      Topology topology = links.domain().topology();
      return new Alike(
          links,
          List.of(
              links.gbps(),
              IntStream.of(topology.indexes(NodeType.GPU)).boxed().toList(),
              IntStream.of(topology.indexes(NodeType.NET)).boxed().toList(),
              NodeCuts.hasReducingSwitch(topology)));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Alike alike && key.equals(alike.key);
    }

    @Override
    public int hashCode() {
      return key.hashCode();
    }
  }

  List<NodeCuts> all() {
    return List.copyOf(kinds.values());
  }

  NodeCuts of(int node) {
    Alike alike = Objects.requireNonNull(kindOf.get(connection.domain(node)));
    return Objects.requireNonNull(kinds.get(alike));
  }

  /** True if all nodes have ports with in-network reduction. */
  boolean networkReduces() {
    return networkReduces;
  }
}
