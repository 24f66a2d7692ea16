package dev.topo.search.rules;

import java.util.Map;
import java.util.TreeMap;

/**
 * Values by compute capability: each holds from the one that it is listed for up to the next.
 * Immutable.
 */
public final class BySm<T> {
  private final TreeMap<Integer, T> from;

  BySm(Map<Integer, T> from) {
    this.from = new TreeMap<>(from);
    if (!this.from.containsKey(0)) {
      throw new IllegalArgumentException("values by compute capability do not begin with 0");
    }
  }

  public T at(int sm) {
    return from.floorEntry(Math.max(0, sm)).getValue();
  }
}
