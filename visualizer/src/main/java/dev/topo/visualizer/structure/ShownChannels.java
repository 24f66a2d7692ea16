package dev.topo.visualizer.structure;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Channels of which a text says the same, so that it says it once. */
final class ShownChannels {
  /** Where more channels differ, only some are shown. */
  private static final int MOST_ROWS = 8;

  private static final int FIRST_ROWS = 4;

  /** GPUs or ranks that a line names one by one. */
  private static final int MOST_STOPS = 16;

  private ShownChannels() {}

  /** The channels by what a text says of them. */
  static <T> Map<T, List<Integer>> alike(List<Integer> channels, IntFunction<T> look) {
    return Alike.by(channels, look::apply);
  }

  /**
   * How many of the channels that differ are shown, from the first one on.
   *
   * @param isVerbose whether the user wants all of them
   */
  static int rows(int different, boolean isVerbose) {
    return isVerbose || different <= MOST_ROWS ? different : FIRST_ROWS;
  }

  /** Tells how many channels are not shown, where some are not. */
  static void rest(TextWriter out, int different, int shown) {
    if (shown < different) {
      out.line("  … and %d more (%s)", different - shown, Hint.LISTS_ALL);
    }
  }

  /**
   * GPUs or ranks in the order of a channel, in short where there are many.
   *
   * @param isVerbose whether the user wants each of them
   */
  static String order(List<Integer> stops, boolean isVerbose) {
    return isVerbose || stops.size() <= MOST_STOPS
        ? QuantityFormat.joined(" ", stops, String::valueOf)
        : QuantityFormat.runs(stops);
  }

  /** As {@link #title}, shorter for channels at equal distances. */
  static String shortTitle(List<Integer> channels) {
    return QuantityFormat.steps("channel", channels);
  }

  static String title(List<Integer> channels) {
    return QuantityFormat.ranges("channel", channels);
  }
}
