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
 * Selects the hosts whose paths are shown. If all equal hosts of an NVLink domain have the same
 * paths, only the paths of one of them, and from it to a second one, are shown.
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

  /** Selects the hosts of a domain. */
  public static PathHosts of(Domain domain) {
    Topology topology = domain.topology();
    HostFold fold = HostFold.of(topology);
    boolean isSame = !fold.isDomain() || hasSamePaths(fold, topology, domain.paths());
    return new PathHosts(topology, isSame ? fold : HostFold.none(topology));
  }

  /** True if every path from a GPU equals the path that is shown in its place. */
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
    boolean isOtherHostOfGroup =
        group.hosts().contains(fold.hostOf(from)) && fold.hostOf(from) != fold.hostOf(to);
    return isOtherHostOfGroup ? group.hosts().get(1) : group.drawn();
  }

  /** True if the paths from a node are shown. */
  public boolean hasRowOf(int node) {
    return fold.isDrawn(node);
  }

  /** True if the paths to a node are shown. */
  public boolean hasColumnOf(int node) {
    return topology.node(node).type() == NodeType.NVS || columns.contains(fold.hostOf(node));
  }

  /** Describes the omitted hosts in a sentence; empty if there are none. */
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
