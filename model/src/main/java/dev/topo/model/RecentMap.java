package dev.topo.model;

import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Maps that drop the least recently used entry. */
public final class RecentMap {
  private static final float LOAD_FACTOR = 0.75f;

  private RecentMap() {}

  /** Returns an empty map with at most {@code max} entries. */
  public static <K, V> Map<K, V> of(int max) {
    return new LinkedHashMap<>(max, LOAD_FACTOR, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > max;
      }
    };
  }

  /** Results that are kept until memory is needed. Thread-safe. */
  public static final class Results<K, V> {
    private final Map<K, SoftReference<V>> kept;

    /**
     * Creates an empty map.
     *
     * @param max most results; 0 keeps none
     */
    public Results(int max) {
      kept = of(max);
    }

    /** The result that is kept for a key. */
    public synchronized Optional<V> find(K key) {
      return Optional.ofNullable(kept.get(key)).map(SoftReference::get);
    }

    /** Keeps a result, which is returned. */
    public synchronized V keep(K key, V result) {
      kept.put(key, new SoftReference<>(result));
      return result;
    }
  }
}
