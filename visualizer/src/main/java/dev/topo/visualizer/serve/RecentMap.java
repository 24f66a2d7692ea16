package dev.topo.visualizer.serve;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps that drop the least recently used entry. */
final class RecentMap {
  private static final float LOAD_FACTOR = 0.75f;

  private RecentMap() {}

  /** Returns an empty map with at most {@code max} entries. */
  static <K, V> Map<K, V> of(int max) {
    return new LinkedHashMap<>(max, LOAD_FACTOR, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > max;
      }
    };
  }
}
