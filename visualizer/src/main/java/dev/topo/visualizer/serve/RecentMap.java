package dev.topo.visualizer.serve;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps that drop the least recently used entry. */
final class RecentMap {
  private static final float LOAD = 0.75f;

  private RecentMap() {}

  /** An empty map of at most this number of entries. */
  static <K, V> Map<K, V> of(int most) {
    return new LinkedHashMap<>(most, LOAD, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
      }
    };
  }
}
