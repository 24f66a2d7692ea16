package dev.topo.search.bound;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.path.Domain;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Sets of GPUs around which a cut may be narrow: single GPUs, those below a PCI switch or a CPU,
 * all of the node, and all sets of up to eight GPUs that NVLinks join without NVSwitch.
 */
final class SideFinder {
  private static final int MOST_GPUS_FOR_ALL_SETS = 8;

  private final Domain domain;
  private final Topology topology;
  private final Set<Set<Integer>> sides = new LinkedHashSet<>();

  SideFinder(Domain domain) {
    this.domain = domain;
    this.topology = domain.topology();
  }

  /** The sets, each once, in a fixed order. */
  Set<Set<Integer>> sides() {
    List<Integer> gpus = IntStream.of(topology.indexes(NodeType.GPU)).boxed().toList();
    gpus.forEach(gpu -> sides.add(Set.of(gpu)));
    for (int cpu : topology.indexes(NodeType.CPU)) {
      below(cpu, -1);
    }
    sides.add(new TreeSet<>(gpus));
    if (gpus.size() <= MOST_GPUS_FOR_ALL_SETS && isMesh()) {
      for (int mask = 1; mask < 1 << gpus.size(); mask++) {
        int members = mask;
        if (!domain.crossesNetwork() && 2 * Integer.bitCount(mask) > gpus.size()) {
          continue; // the same data crosses the cut around the others
        }
        sides.add(
            new TreeSet<>(
                IntStream.range(0, gpus.size())
                    .filter(i -> (members >> i & 1) == 1)
                    .mapToObj(gpus::get)
                    .toList()));
      }
    }
    return sides;
  }

  private boolean isMesh() {
    return !topology.hasNvSwitch()
        && IntStream.of(topology.indexes(NodeType.GPU))
            .anyMatch(gpu -> topology.links(gpu).stream().anyMatch(l -> l.type() == LinkType.NVL));
  }

  private Set<Integer> below(int node, int from) {
    Set<Integer> gpus = new TreeSet<>();
    if (topology.node(node).type() == NodeType.GPU) {
      gpus.add(node);
      return gpus;
    }
    for (Link link : topology.links(node)) {
      if (link.type() == LinkType.PCI && link.to() != from) {
        gpus.addAll(below(link.to(), node));
      }
    }
    if (!gpus.isEmpty()) {
      sides.add(gpus);
    }
    return gpus;
  }
}
