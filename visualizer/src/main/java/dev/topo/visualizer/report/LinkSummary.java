package dev.topo.visualizer.report;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.path.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Describes in sentences how the GPUs of a node reach each other and the network. */
final class LinkSummary {
  private LinkSummary() {}

  static List<String> of(ReportPart part) {
    Topology topology = part.domain().topology();
    Paths paths = part.domain().paths();
    int[] gpus = topology.indexes(NodeType.GPU);
    Map<PathType, DoubleSummaryStatistics> betweenGpus = new TreeMap<>();
    Map<PathType, DoubleSummaryStatistics> toPorts = new TreeMap<>();
    for (int from : gpus) {
      for (int to : gpus) {
        if (from != to) {
          add(betweenGpus, paths, from, to);
        }
      }
      nearestPort(topology, paths, from).ifPresent(net -> add(toPorts, paths, from, net));
    }
    List<String> sentences = new ArrayList<>();
    if (!betweenGpus.isEmpty()) {
      sentences.add("GPUs reach each other over " + typesWithBandwidth(betweenGpus, "pairs") + ".");
    }
    if (!toPorts.isEmpty()) {
      sentences.add(
          "The nearest port of a GPU is over " + typesWithBandwidth(toPorts, "GPUs") + ".");
    }
    return sentences;
  }

  private static void add(
      Map<PathType, DoubleSummaryStatistics> byType, Paths paths, int from, int to) {
    byType
        .computeIfAbsent(paths.type(from, to), type -> new DoubleSummaryStatistics())
        .accept(paths.bwGBps(from, to));
  }

  private static Optional<Integer> nearestPort(Topology topology, Paths paths, int gpu) {
    return Arrays.stream(topology.indexes(NodeType.NET))
        .boxed()
        .min(Comparator.comparingInt(net -> paths.type(gpu, net).rank()));
  }

  /**
   * Describes path types with their bandwidths: {@code NVL at 370.8 GB/s}, with percentages if
   * there are several.
   */
  private static String typesWithBandwidth(
      Map<PathType, DoubleSummaryStatistics> byType, String noun) {
    long all = byType.values().stream().mapToLong(DoubleSummaryStatistics::getCount).sum();
    List<String> texts = new ArrayList<>();
    byType.forEach(
        (type, paths) -> {
          String low = DeviceFormat.gbps(paths.getMin());
          String high = DeviceFormat.gbps(paths.getMax());
          String bandwidth = low.equals(high) ? high : low + " to " + high;
          long percent = Math.round(100.0 * paths.getCount() / all);
          String share = byType.size() == 1 ? "" : " (" + percent + " % of " + noun + ")";
          texts.add(type + " at " + bandwidth + " GB/s" + share);
        });
    return String.join(", ", texts);
  }
}
