package dev.topo.search.bound;

import dev.topo.model.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Links between vertices, in which a vertex that only passes data on between two others is left
 * out: a maximum flow takes a fraction of the time, and its value is the same. Used once.
 */
final class HopTable {
  private final SortedMap<Integer, SortedMap<Integer, Hop>> hops = new TreeMap<>();

  /**
   * The links that carry data from one vertex to another.
   *
   * @param gbps the rate in GB/s
   * @param links the links that limit it
   */
  record Hop(double gbps, List<Link> links) {
    Hop {
      links = List.copyOf(links);
    }

    private Hop beside(Hop other) {
      List<Link> both = new ArrayList<>(links);
      both.addAll(other.links);
      return new Hop(gbps + other.gbps, both);
    }
  }

  /** The hops from each vertex. */
  SortedMap<Integer, SortedMap<Integer, Hop>> hops() {
    return hops;
  }

  void add(int from, int to, Hop hop) {
    row(from).merge(to, hop, Hop::beside);
    row(to);
  }

  private SortedMap<Integer, Hop> row(int vertex) {
    return hops.computeIfAbsent(vertex, unseen -> new TreeMap<>());
  }

  /** Leaves out vertices with one or two neighbours, except some. */
  void contract(Set<Integer> kept) {
    TreeSet<Integer> open = new TreeSet<>(hops.keySet());
    while (!open.isEmpty()) {
      int vertex = open.first();
      open.remove(vertex);
      Set<Integer> neighbors = neighbors(vertex);
      if (!kept.contains(vertex) && neighbors.size() <= 2) {
        List<Integer> ends = List.copyOf(neighbors);
        if (ends.size() == 2) {
          join(ends.get(0), vertex, ends.get(1));
          join(ends.get(1), vertex, ends.get(0));
        }
        hops.remove(vertex);
        ends.forEach(end -> row(end).remove(vertex));
        open.addAll(ends);
      }
    }
  }

  private Set<Integer> neighbors(int vertex) {
    Set<Integer> found = new TreeSet<>(row(vertex).keySet());
    for (Map.Entry<Integer, SortedMap<Integer, Hop>> entry : hops.entrySet()) {
      if (entry.getValue().containsKey(vertex)) {
        found.add(entry.getKey());
      }
    }
    return found;
  }

  private void join(int from, int over, int to) {
    Optional<Hop> first = Optional.ofNullable(row(from).get(over));
    Optional<Hop> second = Optional.ofNullable(row(over).get(to));
    if (first.isPresent() && second.isPresent()) {
      add(from, to, first.get().gbps() <= second.get().gbps() ? first.get() : second.get());
    }
  }
}
