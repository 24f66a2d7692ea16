package dev.topo.visualizer.report;

import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import dev.topo.visualizer.drawing.HostFold;
import dev.topo.visualizer.drawing.HostGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The hosts whose paths are shown. For equal hosts of an NVLink domain with equal paths, these are
 * one host and the paths from it to a second one.
 */
public final class PathHosts {
  private final Topology topology;
  private final HostFold fold;
  private final Set<Integer> columns = new TreeSet<>();

  private PathHosts(Topology topology, HostFold fold) {
    this.topology = topology;
    this.fold = fold;
    for (HostGroup group : fold.groups()) {
      columns.addAll(group.hosts().subList(0, Math.min(2, group.hosts().size())));
    }
  }

  /** The hosts of some GPUs that reach each other. */
  public static PathHosts of(Domain domain) {
    Topology topology = domain.topology();
    HostFold fold = HostFold.of(topology);
    boolean isSame = !fold.isDomain() || hasSamePaths(fold, topology, domain.paths());
    return new PathHosts(topology, isSame ? fold : HostFold.none(topology));
  }

  /** True if every path from a GPU equals the one that is shown for it. */
  private static boolean hasSamePaths(HostFold fold, Topology topology, Paths paths) {
    int[] gpus = topology.indexes(NodeType.GPU);
    int[] ends =
        IntStream.range(0, topology.size())
            .filter(
                node ->
                    switch (topology.node(node).type()) {
                      case GPU, NET, CPU, NVS -> true;
                      case PCI, NIC -> false;
                    })
            .toArray();
    for (int from : gpus) {
      HostGroup group = fold.groupOf(fold.hostOf(from));
      int shownFrom = fold.counterpart(from, group.drawn());
      for (int to : ends) {
        int shownTo = fold.counterpart(to, shownHost(fold, topology, from, to));
        if (paths.type(from, to) != paths.type(shownFrom, shownTo)
            || paths.bwGBps(from, to) != paths.bwGBps(shownFrom, shownTo)
            || paths.hops(from, to) != paths.hops(shownFrom, shownTo)) {
          return false;
        }
      }
    }
    return true;
  }

  private static int shownHost(HostFold fold, Topology topology, int from, int to) {
    if (topology.node(to).type() == NodeType.NVS) {
      return fold.hostOf(to);
    }
    HostGroup group = fold.groupOf(fold.hostOf(to));
    boolean isOther =
        group.hosts().contains(fold.hostOf(from)) && fold.hostOf(from) != fold.hostOf(to);
    return isOther ? group.hosts().get(1) : group.drawn();
  }

  /** True if the paths from a node are shown. */
  public boolean hasRowOf(int node) {
    return fold.isDrawn(node);
  }

  /** True if the paths to a node are shown. */
  public boolean hasColumnOf(int node) {
    return topology.node(node).type() == NodeType.NVS || columns.contains(fold.hostOf(node));
  }

  /** The omitted hosts in one sentence. */
  public Optional<String> note() {
    List<String> folded = new ArrayList<>();
    for (HostGroup group : fold.groups()) {
      if (group.isFolded()) {
        folded.add(
            "%s; shown are the paths of host %s, and host %s for the others"
                .formatted(group.title(), group.drawn(), group.hosts().get(1)));
      }
    }
    return folded.isEmpty() ? Optional.empty() : Optional.of(String.join(". ", folded) + ".");
  }
}
