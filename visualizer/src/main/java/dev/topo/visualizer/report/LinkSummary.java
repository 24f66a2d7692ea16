package dev.topo.visualizer.report;

import dev.topo.model.PathType;
import dev.topo.model.Topology;
import dev.topo.model.node.NodeType;
import dev.topo.search.path.Paths;
import dev.topo.visualizer.report.subject.DeviceFormat;
import dev.topo.visualizer.report.subject.ReportPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How the GPUs of a node reach each other and the network, in sentences. */
final class LinkSummary {
  private LinkSummary() {}

  /** The number and bandwidths of the paths of a type. */
  private static final class Kind {
    private int number;
    private double least = Double.MAX_VALUE;
    private double most;

    void add(double bwGBps) {
      number++;
      least = Math.min(least, bwGBps);
      most = Math.max(most, bwGBps);
    }

    String bandwidth() {
      String low = DeviceFormat.gbps(least);
      String high = DeviceFormat.gbps(most);
      return (low.equals(high) ? high : low + " to " + high) + " GB/s";
    }
  }

  static List<String> of(ReportPart part) {
    Topology topology = part.domain().topology();
    Paths paths = part.domain().paths();
    int[] gpus = topology.indexes(NodeType.GPU);
    Map<PathType, Kind> between = new TreeMap<>();
    Map<PathType, Kind> toPorts = new TreeMap<>();
    for (int from : gpus) {
      for (int to : gpus) {
        if (from != to) {
          between
              .computeIfAbsent(paths.type(from, to), type -> new Kind())
              .add(paths.bwGBps(from, to));
        }
      }
      nearestPort(topology, paths, from)
          .ifPresent(
              net ->
                  toPorts
                      .computeIfAbsent(paths.type(from, net), type -> new Kind())
                      .add(paths.bwGBps(from, net)));
    }
    List<String> sentences = new ArrayList<>();
    if (!between.isEmpty()) {
      sentences.add("GPUs reach each other over " + kinds(between, "pairs") + ".");
    }
    if (!toPorts.isEmpty()) {
      sentences.add("The nearest port of a GPU is over " + kinds(toPorts, "GPUs") + ".");
    }
    return sentences;
  }

  private static Optional<Integer> nearestPort(Topology topology, Paths paths, int gpu) {
    Optional<Integer> nearest = Optional.empty();
    for (int net : topology.indexes(NodeType.NET)) {
      if (nearest.isEmpty()
          || paths.type(gpu, net).rank() < paths.type(gpu, nearest.get()).rank()) {
        nearest = Optional.of(net);
      }
    }
    return nearest;
  }

  /** Kinds of paths: {@code NVL at 370.8 GB/s}, with numbers where there are several. */
  private static String kinds(Map<PathType, Kind> kinds, String noun) {
    int all = kinds.values().stream().mapToInt(kind -> kind.number).sum();
    return kinds.entrySet().stream()
        .map(
            entry -> {
              Kind kind = entry.getValue();
              return entry.getKey()
                  + " at "
                  + kind.bandwidth()
                  + (kinds.size() == 1
                      ? ""
                      : String.format(
                          Locale.ROOT,
                          " (%d %% of %s)",
                          Math.round(100.0 * kind.number / all),
                          noun));
            })
        .collect(Collectors.joining(", "));
  }
}
