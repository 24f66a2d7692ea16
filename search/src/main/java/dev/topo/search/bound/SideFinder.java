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
 * Finds sets of GPUs that are likely to be surrounded by a narrow cut: each single GPU, the GPUs
 * below each PCI switch and CPU, all GPUs of the node, and, on a node of at most eight GPUs with
 * NVLinks but no NVSwitch, every set of GPUs.
 */
final class SideFinder {
  private static final int MAX_GPUS_FOR_ALL_SETS = 8;

  private final Domain domain;
  private final Topology topology;
  private final Set<Set<Integer>> sides = new LinkedHashSet<>();

  SideFinder(Domain domain) {
    this.domain = domain;
    this.topology = domain.topology();
  }

  /** The sets, each once, in a fixed order. */
  Set<Set<Integer>> sides() {
    List<Integer> gpus = topology.indexList(NodeType.GPU);
    gpus.forEach(gpu -> sides.add(Set.of(gpu)));
    for (int cpu : topology.indexes(NodeType.CPU)) {
      addBelow(cpu, -1);
    }
    sides.add(new TreeSet<>(gpus));
    if (gpus.size() <= MAX_GPUS_FOR_ALL_SETS && isMesh()) {
      for (int mask = 1; mask < 1 << gpus.size(); mask++) {
        int members = mask;
        if (!domain.crossesNetwork() && 2 * Integer.bitCount(mask) > gpus.size()) {
          continue; // the complement has the same cut
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

  /** True if NVLinks join GPUs directly, without NVSwitch. */
  private boolean isMesh() {
    return !topology.hasNvSwitch()
        && topology.indexList(NodeType.GPU).stream()
            .anyMatch(gpu -> topology.links(gpu).stream().anyMatch(l -> l.type() == LinkType.NVL));
  }

  /** Adds the set of the GPUs below each device of a PCI subtree; returns those below its root. */
  private Set<Integer> addBelow(int node, int from) {
    Set<Integer> gpus = new TreeSet<>();
    if (topology.node(node).type() == NodeType.GPU) {
      gpus.add(node);
      return gpus;
    }
    for (Link link : topology.links(node)) {
      if (link.type() == LinkType.PCI && link.to() != from) {
        gpus.addAll(addBelow(link.to(), node));
      }
    }
    if (!gpus.isEmpty()) {
      sides.add(gpus);
    }
    return gpus;
  }
}
