package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.io.TextTable;
import dev.topo.simulator.variant.PathComparison.PathChange;
import dev.topo.simulator.variant.PathComparison.PathChange.PathQuality;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Paths that changed, those that changed alike in one row. */
final class PathChangeText {
  private static final String GPU = "GPU ";

  /** Rows that people read. */
  private static final int MAX_ROWS = 12;

  private PathChangeText() {}

  private record Change(
      Optional<PathQuality> before, Optional<PathQuality> after, boolean isBetweenGpus) {}

  /**
   * Rows with the pairs, how it was and how it is; not more than a dozen unless {@code isVerbose}.
   */
  static TextTable table(List<PathChange> changes, boolean isVerbose) {
    Map<Change, List<PathChange>> alike = new LinkedHashMap<>();
    for (PathChange change : changes) {
      Change key = new Change(change.before(), change.after(), change.to().startsWith(GPU));
      alike.computeIfAbsent(key, k -> new ArrayList<>()).add(change);
    }
    TextTable table = TextTable.indented();
    alike.entrySet().stream()
        .limit(isVerbose ? alike.size() : MAX_ROWS)
        .forEach(
            entry -> {
              Change change = entry.getKey();
              String pairs = pairs(entry.getValue(), change.isBetweenGpus);
              table.row(pairs, path(change.before), "→ " + path(change.after));
            });
    int more = alike.size() - table.size();
    return more > 0 ? table.row("and " + more + " more rows (-v shows them)") : table;
  }

  private static String path(Optional<PathQuality> path) {
    return path.map(
            p ->
                p.type()
                    + " "
                    + PrintfNumber.general(p.bandwidthGBps())
                    + " GB/s"
                    + (p.gdr() ? " GDR" : ""))
        .orElse("none");
  }

  private static String pairs(List<PathChange> group, boolean isBetweenGpus) {
    Map<String, List<String>> fromByTo = new LinkedHashMap<>();
    for (PathChange change : group) {
      fromByTo
          .computeIfAbsent(change.to(), to -> new ArrayList<>())
          .add(change.from().substring(GPU.length()));
    }
    Map<List<String>, List<String>> toByFrom = new LinkedHashMap<>();
    fromByTo.forEach(
        (to, from) ->
            toByFrom
                .computeIfAbsent(from, k -> new ArrayList<>())
                .add(to.replaceFirst("^GPU ", "")));
    if (toByFrom.size() > 3) {
      return group.size() + (isBetweenGpus ? " pairs of GPUs" : " pairs of GPU and port");
    }
    List<String> words = new ArrayList<>();
    toByFrom.forEach(
        (from, to) ->
            words.add(
                GPU + numbers(from) + " to " + (isBetweenGpus ? GPU : "") + String.join(" ", to)));
    return String.join(", ", words);
  }

  /** Device numbers, in an NVLink domain with the hosts in front. */
  private static String numbers(List<String> gpus) {
    return gpus.stream().allMatch(gpu -> gpu.matches("\\d+"))
        ? QuantityFormat.ranges(gpus.stream().map(Integer::valueOf).toList())
        : String.join(" ", gpus);
  }
}
