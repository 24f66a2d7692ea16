package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Channels of which a text says the same, so that it says it once. */
final class ShownChannels {
  private ShownChannels() {}

  /** The channels by what a text says of them. */
  static <T> Map<T, List<Integer>> alike(List<Integer> channels, IntFunction<T> look) {
    Map<T, List<Integer>> alike = new LinkedHashMap<>();
    for (int channel : channels) {
      alike.computeIfAbsent(look.apply(channel), key -> new ArrayList<>()).add(channel);
    }
    return alike;
  }

  /** As {@link #title}, shorter for channels at equal distances. */
  static String shortTitle(List<Integer> channels) {
    return QuantityFormat.steps("channel", channels);
  }

  static String title(List<Integer> channels) {
    return QuantityFormat.ranges("channel", channels);
  }
}
