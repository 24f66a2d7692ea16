package dev.topo.visualizer.times;

import dev.topo.model.Alike;
import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.operation.Collective;
import dev.topo.search.connect.Connection;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.transfer.TransferRow;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.Tuner.Decision.Refusal;
import dev.topo.visualizer.structure.ChannelWords;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Summarises NCCL's choices in one sentence: the pairs used for one collective and the sizes at
 * which they change.
 */
final class TuningSentence {
  /**
   * Number of size ranges that are named if there are more: the first, and those of the largest
   * sizes.
   */
  private static final int MAX_STRETCHES = 4;

  private static final String DISCARDED = Refusal.discarded("").label();

  private TuningSentence() {}

  /**
   * A pair that is used up to a size in bytes.
   *
   * @param isListed whether only the listed sizes are known, so that the next pair starts somewhere
   *     between two of them
   */
  private record Used(String name, long toBytes, boolean isListed) {
    String from() {
      return isListed ? "%s from %s".formatted(name, QuantityFormat.size(toBytes)) : name;
    }
  }

  /** Returns the sentence about choices for plain buffers. */
  static String of(String title, Connection connection, Map<Collective, List<SizeRange>> ranges) {
    Collective main = main(ranges.keySet());
    List<SizeRange> all = ranges.getOrDefault(main, List.of());
    List<Used> used =
        all.stream()
            .skip(all.size() > 1 && name(all.get(0)).equals(DISCARDED) ? 1 : 0)
            .map(range -> new Used(name(range), range.maxBytes(), false))
            .toList();
    String choices = "%s on %s: %s".formatted(main.label(), title, changes(used));
    String others = "." + others(ranges.size() - 1L);
    String rings = "; rings " + ChannelWords.of(connection, GraphKind.RING);
    String nvls =
        connection.nvls().isSupported()
            ? ""
            : ", " + ChannelWords.noNvls(connection.domain(0).topology().hasNvSwitch());
    return Sentence.of(choices + rings + nvls + others, choices + rings + others, choices + others);
  }

  /**
   * Returns the sentence about kernels and copies with other buffers, given the paths for each kind
   * of buffers.
   */
  static String ofPaths(String title, List<List<CallPath>> kinds) {
    Set<Collective> collectives = new LinkedHashSet<>();
    kinds.forEach(paths -> paths.forEach(path -> collectives.add(path.call().collective())));
    Collective main = main(collectives);
    String choices =
        QuantityFormat.joined(
            "; ",
            Alike.by(kinds, paths -> ofKind(main, paths), paths -> paths.get(0).buffers().label())
                .entrySet(),
            entry -> String.join(" and ", entry.getValue()) + " buffers: " + entry.getKey());
    return "%s on %s, with %s.%s"
        .formatted(main.label(), title, choices, others(collectives.size() - 1L));
  }

  private static String ofKind(Collective main, List<CallPath> paths) {
    List<CallPath> mainPaths =
        paths.stream()
            .filter(path -> path.call().collective() == main)
            .filter(path -> path.kind() != CallPath.Kind.EMPTY)
            .toList();
    return changes(
        mainPaths.stream()
            .map(path -> new Used(name(path), path.call().sizeBytes(), true))
            .toList());
  }

  /**
   * Returns the sentence about sends and receives, for the operation and transport of the first
   * row.
   */
  static String ofTransfers(String title, List<TransferRow> rows) {
    if (rows.isEmpty()) {
      return "Nothing is sent on %s.".formatted(title);
    }
    TransferRow first = rows.get(0);
    List<TransferRow> alike =
        rows.stream()
            .filter(row -> row.collective() == first.collective())
            .filter(row -> row.transport() == first.transport())
            .toList();
    int maxChannels = alike.stream().mapToInt(TransferRow::channels).max().orElseThrow();
    return "%s on %s: %s, on at most %s for a peer.%s"
        .formatted(
            first.collective().label(),
            title,
            changes(
                alike.stream()
                    .map(
                        row ->
                            new Used(
                                row.transport() + "/" + row.protocol().label(), row.bytes(), true))
                    .toList()),
            QuantityFormat.count(maxChannels, "channel"),
            others(rows.stream().map(TransferRow::collective).distinct().count() - 1));
  }

  private static Collective main(Set<Collective> collectives) {
    return collectives.contains(Collective.ALL_REDUCE)
        ? Collective.ALL_REDUCE
        : collectives.iterator().next();
  }

  private static String others(long count) {
    return count < 1 ? "" : " %s below.".formatted(QuantityFormat.count(count, "other operation"));
  }

  /** All size ranges, or the first and the last ones: most readers ask about the largest sizes. */
  private static String changes(List<Used> used) {
    List<List<Used>> stretches = Alike.runs(used, Used::name);
    int leftOut = stretches.size() > MAX_STRETCHES + 1 ? stretches.size() - MAX_STRETCHES : 0;
    List<String> words = new ArrayList<>();
    for (int s = 0; s < stretches.size(); s++) {
      if (s > 0 && s < leftOut) {
        continue;
      }
      List<Used> stretch = stretches.get(s);
      Used last = Last.of(stretch);
      String name = s == 0 ? last.name : stretch.get(0).from();
      if (s > 0 && s == leftOut) {
        name = leftOut + " others";
      }
      boolean isLast = s + 1 == stretches.size();
      words.add(isLast ? name : "%s to %s".formatted(name, QuantityFormat.size(last.toBytes)));
    }
    return String.join(", then ", words);
  }

  private static String name(SizeRange range) {
    return range
        .choice()
        .map(choice -> choice.algorithm().label() + "/" + choice.protocol().label())
        .orElseGet(() -> range.atMin() instanceof Refusal refusal ? refusal.label() : "");
  }

  private static String name(CallPath path) {
    return path.refusal().map(Refusal::label).orElseGet(path::label);
  }
}
