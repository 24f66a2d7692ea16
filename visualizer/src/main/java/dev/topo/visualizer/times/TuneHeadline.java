package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.SizeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What NCCL chooses, in one sentence: the pairs of one collective and where they change. */
final class TuneHeadline {
  /** More changes than that are counted. */
  private static final int MOST = 4;

  private TuneHeadline() {}

  static String of(String title, Map<Collective, List<SizeRange>> ranges) {
    Collective main =
        ranges.containsKey(Collective.ALL_REDUCE)
            ? Collective.ALL_REDUCE
            : ranges.keySet().iterator().next();
    List<String> pairs = pairs(ranges.getOrDefault(main, List.of()));
    String shown = String.join(", then ", pairs.subList(0, Math.min(MOST, pairs.size())));
    return "%s on %s: %s%s.%s"
        .formatted(
            main.label(),
            title,
            shown,
            pairs.size() > MOST ? " and %d changes more".formatted(pairs.size() - MOST) : "",
            ranges.size() == 1
                ? ""
                : " %s below."
                    .formatted(QuantityFormat.count(ranges.size() - 1L, "other collective")));
  }

  /** Ranges that differ in channels or threads only are one. */
  private static List<String> pairs(List<SizeRange> ranges) {
    List<String> pairs = new ArrayList<>();
    for (int r = 0; r < ranges.size(); r++) {
      String name = name(ranges.get(r));
      boolean goesOn = r + 1 < ranges.size() && name(ranges.get(r + 1)).equals(name);
      if (!goesOn) {
        pairs.add(
            r + 1 < ranges.size()
                ? "%s to %s".formatted(name, QuantityFormat.size(ranges.get(r).maxBytes()))
                : name);
      }
    }
    return pairs;
  }

  private static String name(SizeRange range) {
    return range
        .choice()
        .map(one -> one.algorithm().label() + "/" + one.protocol().label())
        .orElse("refused");
  }
}
