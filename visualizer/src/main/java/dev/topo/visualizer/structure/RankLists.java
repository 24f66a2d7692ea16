package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import java.util.List;

/** Lists of ranks in a text. */
final class RankLists {
  /** From this length on, consecutive ranks are a range. */
  private static final int LONG = 9;

  private RankLists() {}

  /** The ranks in their order; none is a dash. */
  static String of(List<Integer> ranks) {
    if (ranks.isEmpty()) {
      return "-";
    }
    return ranks.size() < LONG || ranks.stream().distinct().count() < ranks.size()
        ? listed(ranks)
        : QuantityFormat.ranges(ranks).replace(',', ' ');
  }

  /** The ranks one by one. */
  static String listed(List<Integer> ranks) {
    return QuantityFormat.joined(" ", ranks, String::valueOf);
  }
}
