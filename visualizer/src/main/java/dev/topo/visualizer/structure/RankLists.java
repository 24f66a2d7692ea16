package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import java.util.List;

/** Formats lists of ranks. */
final class RankLists {
  /** Lists of at least this length are written as ranges. */
  private static final int MIN_FOR_RANGES = 9;

  private RankLists() {}

  /** Formats ranks in the given order; a dash if there are none. */
  static String of(List<Integer> ranks) {
    if (ranks.isEmpty()) {
      return "-";
    }
    return ranks.size() < MIN_FOR_RANGES || ranks.stream().distinct().count() < ranks.size()
        ? listed(ranks)
        : QuantityFormat.ranges(ranks).replace(',', ' ');
  }

  /** Lists each rank, separated by spaces. */
  static String listed(List<Integer> ranks) {
    return QuantityFormat.joined(" ", ranks, String::valueOf);
  }
}
