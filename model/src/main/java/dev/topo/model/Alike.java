package dev.topo.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Groups items by a common property. Groups are in the order of their first items. */
public final class Alike {
  private Alike() {}

  /** Groups items by the value of {@code common}. */
  public static <K, T> Map<K, List<T>> by(
      Collection<? extends T> items, Function<? super T, ? extends K> common) {
    return by(items, common, item -> item);
  }

  /** Groups items by the value of {@code common}, keeping only the {@code part} of each item. */
  public static <K, T, P> Map<K, List<P>> by(
      Collection<? extends T> items,
      Function<? super T, ? extends K> common,
      Function<? super T, ? extends P> part) {
    Map<K, List<P>> groups = new LinkedHashMap<>();
    for (T item : items) {
      groups.computeIfAbsent(common.apply(item), first -> new ArrayList<>()).add(part.apply(item));
    }
    return groups;
  }

  /** Groups the numbers from 0 to {@code count - 1} by the value of {@code common}. */
  public static <K> Map<K, List<Integer>> by(int count, IntFunction<? extends K> common) {
    return by(IntStream.range(0, count).boxed().toList(), common::apply);
  }

  /** Splits items into runs of consecutive items with the same value of {@code common}. */
  public static <T> List<List<T>> runs(
      Collection<? extends T> items, Function<? super T, ?> common) {
    List<List<T>> runs = new ArrayList<>();
    for (T item : items) {
      List<T> last = runs.isEmpty() ? List.of() : Last.of(runs);
      if (last.isEmpty() || !common.apply(last.get(0)).equals(common.apply(item))) {
        last = new ArrayList<>();
        runs.add(last);
      }
      last.add(item);
    }
    return runs;
  }
}
