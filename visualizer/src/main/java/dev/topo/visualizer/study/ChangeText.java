package dev.topo.visualizer.study;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.io.TextTable;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.variant.JobChange;
import dev.topo.simulator.variant.JobChange.BusbwChange;
import dev.topo.simulator.variant.JobChange.ChoiceChange;
import dev.topo.simulator.variant.JobChange.GraphChange;
import dev.topo.simulator.variant.PathComparison.PathChange;
import dev.topo.simulator.variant.PathComparison.PathChange.PathQuality;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes the changes of a job as text: one line for each graph and collective, and one line for
 * paths that changed alike.
 */
final class ChangeText {
  /** Up to this many size ranges are listed; the others are counted. */
  private static final int MAX_RANGES = 3;

  private static final String GPU = "GPU ";

  private record ChangedPath(
      Optional<PathQuality> before, Optional<PathQuality> after, boolean isBetweenGpus) {}

  private ChangeText() {}

  static String of(JobChange change, List<Long> shownBytes) {
    if (change.failure().isPresent()) {
      return "  " + change.failure().get().sentence() + "\n";
    }
    if (change.isNone()) {
      return "  changes nothing in graphs, choices and busbw\n";
    }
    TextTable table = TextTable.indented();
    graphs(change).forEach(table::row);
    busbw(change, shownBytes).forEach((c, text) -> table.row(c.label(), "busbw " + text));
    choices(change).forEach((c, text) -> table.row(c.label(), "choice " + text));
    if (table.size() == 0) {
      table.row("busbw", "changes only at sizes that are not shown (" + Hint.AS_JSON + ")");
    }
    return table.toString();
  }

  private static Map<String, String> graphs(JobChange change) {
    Map<String, String> lines = new LinkedHashMap<>();
    for (GraphChange graph : change.graphs()) {
      String text =
          graph.before().isEmpty() && graph.after().isEmpty()
              ? "channels visit GPUs or NICs in another order"
              : graph.property() + " " + arrow(graph.before(), graph.after());
      lines.merge(graph.kind().label(), text, (x, y) -> x + ", " + y);
    }
    return lines;
  }

  private static String arrow(String before, String after) {
    return before + " → " + (after.isEmpty() ? "none" : after);
  }

  private static Map<Operation, String> busbw(JobChange change, List<Long> shownBytes) {
    Map<Operation, String> lines = new LinkedHashMap<>();
    for (BusbwChange busbw : change.busbw()) {
      if (shownBytes.contains(busbw.call().sizeBytes())) {
        String text = QuantityFormat.size(busbw.call().sizeBytes()) + ": " + BusbwWords.cell(busbw);
        lines.merge(busbw.call().operation(), text, (x, y) -> x + ", " + y);
      }
    }
    return lines;
  }

  private static String choice(ChoiceChange choice) {
    return QuantityFormat.sizes(choice.firstBytes(), choice.lastBytes())
        + ": "
        + arrow(choice.before(), choice.after());
  }

  private static Map<Operation, String> choices(JobChange change) {
    Map<Operation, String> lines = new LinkedHashMap<>();
    Alike.by(change.choices(), ChoiceChange::collective, ChangeText::choice)
        .forEach(
            (collective, list) -> {
              int more = list.size() - MAX_RANGES;
              String shown = list.stream().limit(MAX_RANGES).collect(Collectors.joining(", "));
              lines.put(collective, more > 0 ? shown + ", and " + more + " more" : shown);
            });
    return lines;
  }

  /** A table of changed paths: the pairs, the path before and the path after. */
  static TextTable ofPaths(List<PathChange> changes) {

    TextTable table = TextTable.indented();
    Alike.by(
            changes,
            change -> new ChangedPath(change.before(), change.after(), change.to().startsWith(GPU)))
        .forEach(
            (change, group) ->
                table.row(
                    pairs(group, change.isBetweenGpus),
                    path(change.before),
                    "→ " + path(change.after)));
    return table;
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
    Map<String, List<String>> fromByTo =
        Alike.by(group, PathChange::to, change -> change.from().substring(GPU.length()));
    Map<List<String>, List<String>> toByFrom =
        Alike.by(
            fromByTo.entrySet(),
            Map.Entry::getValue,
            pair -> pair.getKey().replaceFirst("^GPU ", ""));
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

  /**
   * Device numbers as ranges; names of GPUs in an NVLink domain include the host and are listed one
   * by one.
   */
  private static String numbers(List<String> gpus) {
    return gpus.stream().allMatch(gpu -> gpu.matches("\\d+"))
        ? QuantityFormat.ranges(gpus.stream().map(Integer::valueOf).toList())
        : String.join(" ", gpus);
  }
}
