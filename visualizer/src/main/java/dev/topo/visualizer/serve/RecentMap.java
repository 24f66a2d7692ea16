package dev.topo.visualizer.serve;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps that forget what was not used for longest. */
final class RecentMap {
  private static final float LOAD = 0.75f;

  private RecentMap() {}

  /** An empty one of so many entries at most. */
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
