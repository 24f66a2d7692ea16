package dev.topo.simulator.variant;

import dev.topo.model.DeviceName;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.path.Domain;
import dev.topo.search.path.NicAccessFinder;
import dev.topo.search.path.Paths;
import dev.topo.simulator.variant.PathComparison.PathChange.PathQuality;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares the paths of two machines: every pair of GPUs, every GPU with every port. GPUs
 * correspond by device number, ports by name.
 */
public final class PathComparison {
  /**
   * A changed path.
   *
   * @param from a GPU, by its device number
   * @param to a GPU, or a port by its name
   * @param before the path before; empty if there was none
   * @param after the path after; empty if there is none
   */
  public record PathChange(
      String from, String to, Optional<PathQuality> before, Optional<PathQuality> after) {
    /**
     * The properties of a path.
     *
     * @param gdr whether GPUDirect RDMA is used on it; always false between GPUs
     */
    public record PathQuality(PathType type, float bandwidthGBps, boolean gdr) {}
  }

  private PathComparison() {}

  /**
   * The result of a comparison.
   *
   * @param changes the paths that differ, those between GPUs first, then in the order of the
   *     machine before
   * @param compared number of paths that exist before or after
   */
  public record Result(List<PathChange> changes, int compared) {
    public Result {
      changes = List.copyOf(changes);
    }
  }

  /** Compares the machines of two outcomes. */
  public static Result compare(WhatIfOutcome before, WhatIfOutcome after) {
    Map<List<String>, PathQuality> old = qualities(before);
    Map<List<String>, PathQuality> now = qualities(after);
    Set<List<String>> pairs = new LinkedHashSet<>(old.keySet());
    pairs.addAll(now.keySet());
    List<PathChange> changes = new ArrayList<>();
    for (List<String> pair : pairs) {
      Optional<PathQuality> was = Optional.ofNullable(old.get(pair));
      Optional<PathQuality> is = Optional.ofNullable(now.get(pair));
      if (!was.equals(is)) {
        changes.add(new PathChange(pair.get(0), pair.get(1), was, is));
      }
    }
    return new Result(changes, pairs.size());
  }

  private static Map<List<String>, PathQuality> qualities(WhatIfOutcome outcome) {
    Map<List<String>, PathQuality> gpus = new LinkedHashMap<>();
    Map<List<String>, PathQuality> ports = new LinkedHashMap<>();
    for (Domain domain : outcome.domains()) {
      betweenGpus(domain.paths(), gpus);
      if (!domain.topology().nets().isEmpty()) {
        toPorts(domain, new NicAccessFinder(domain, outcome.machine().settings()), ports);
      }
    }
    gpus.putAll(ports);
    return gpus;
  }

  private static void betweenGpus(Paths paths, Map<List<String>, PathQuality> into) {
    Topology topology = paths.topology();
    DeviceName names = new DeviceName(topology);
    int[] gpus = topology.indexes(NodeType.GPU);
    for (int a = 0; a < gpus.length; a++) {
      for (int b = a + 1; b < gpus.length; b++) {
        into.putIfAbsent(
            List.of(names.of(gpus[a]), names.of(gpus[b])),
            new PathQuality(paths.type(gpus[a], gpus[b]), paths.bwGBps(gpus[a], gpus[b]), false));
      }
    }
  }

  private static void toPorts(
      Domain domain, NicAccessFinder access, Map<List<String>, PathQuality> into) {
    Topology topology = domain.topology();
    DeviceName names = new DeviceName(topology);
    int[] gpus = topology.indexes(NodeType.GPU);
    int[] nets = topology.indexes(NodeType.NET);
    for (int n = 0; n < nets.length; n++) {
      for (int g = 0; g < gpus.length; g++) {
        into.putIfAbsent(
            List.of(names.of(gpus[g]), names.of(nets[n])),
            new PathQuality(
                domain.paths().type(gpus[g], nets[n]),
                domain.paths().bwGBps(gpus[g], nets[n]),
                access.find(g, n).gdr().allowed()));
      }
    }
  }
}
