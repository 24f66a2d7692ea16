package dev.topo.search.rules;

import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values by compute capability: each applies from its listed capability up to the next. Immutable.
 */
public final class BySm<T> {
  private final int[] from;
  private final List<T> values;

  BySm(Map<Integer, T> from) {
    TreeMap<Integer, T> sorted = new TreeMap<>(from);
    if (!sorted.containsKey(0)) {
      throw new IllegalArgumentException("values by compute capability do not begin with 0");
    }
    this.from = sorted.keySet().stream().mapToInt(Integer::intValue).toArray();
    this.values = List.copyOf(sorted.values());
  }

  public T at(int sm) {
    int index = from.length - 1;
    while (index > 0 && sm < from[index]) {
      index--;
    }
    return values.get(index);
  }

  /**
   * A set of compute capabilities: those listed, or all from one on.
   *
   * @param listed the numbers, in order
   * @param andNewer whether the set also contains all above the last
   */
  public record SmSet(List<Integer> listed, boolean andNewer) {
    public SmSet {
      listed = List.copyOf(listed);
    }

    /** Reads {@code 70 80 90} or {@code 70+}. */
    static SmSet parse(String text) {
      boolean andNewer = text.endsWith("+");
      String numbers = andNewer ? text.substring(0, text.length() - 1) : text;
      return new SmSet(
          Arrays.stream(numbers.split(" +", -1)).map(Integer::valueOf).toList(), andNewer);
    }

    public boolean contains(int sm) {
      return listed.contains(sm) || (andNewer && sm > Last.of(listed));
    }

    /** Text such as {@code sm 70 or newer}. */
    @Override
    public String toString() {
      return "sm " + QuantityFormat.joined(", ", listed, sm -> sm) + (andNewer ? " or newer" : "");
    }
  }
}
