package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.List;

/** Groups channels that look alike, so that a text describes them once. */
final class ShownChannels {
  /** Up to this many groups of channels are all shown. */
  private static final int MAX_ROWS = 8;

  /** Of more groups, this many are shown. */
  private static final int FIRST_ROWS = 4;

  /** Up to this many GPUs or ranks are listed one by one. */
  private static final int MAX_STOPS = 16;

  private ShownChannels() {}

  /**
   * Returns how many of the groups of channels to show, starting with the first.
   *
   * @param isVerbose whether to show all groups
   */
  static int rows(int different, boolean isVerbose) {
    return isVerbose || different <= MAX_ROWS ? different : FIRST_ROWS;
  }

  /** Writes how many groups of channels are not shown, if any. */
  static void omitted(TextWriter out, int different, int shown) {
    if (shown < different) {
      out.line("  … and %d more (%s)", different - shown, Hint.LISTS_ALL);
    }
  }

  /**
   * Formats the GPUs or ranks in the order of a channel, abbreviated if there are many.
   *
   * @param isVerbose whether to list each of them
   */
  static String order(List<Integer> stops, boolean isVerbose) {
    return isVerbose || stops.size() <= MAX_STOPS
        ? QuantityFormat.joined(" ", stops, String::valueOf)
        : QuantityFormat.runs(stops);
  }
}
