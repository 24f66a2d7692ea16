package dev.topo.simulator.sweep;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * The differences between two variants of a sweep.
 *
 * @param from key of the first variant
 * @param to key of the second variant
 * @param values axes on which they differ, with both values
 * @param common values that both have, by axis
 * @param calls answers of both to each question
 */
public record RowDifference(
    String from, String to, List<Value> values, Map<String, String> common, List<Call> calls) {
  public RowDifference {
    common = Collections.unmodifiableMap(new LinkedHashMap<>(common));
    values = List.copyOf(values);
    calls = List.copyOf(calls);
  }

  /** The values of both variants on an axis. */
  public record Value(String axis, String from, String to) {
    private boolean isSame() {
      return from.equals(to);
    }
  }

  /** The answers to a question of both variants. */
  public record Call(String question, Outcome from, Outcome to) {
    /** Relative change of the time; empty if one of the two is missing. */
    public OptionalDouble change() {
      return from.timeUs().isPresent() && to.timeUs().isPresent()
          ? OptionalDouble.of(to.timeUs().getAsDouble() / from.timeUs().getAsDouble() - 1)
          : OptionalDouble.empty();
    }

    /** True if NCCL chooses the same algorithm and protocol, or both fail alike. */
    public boolean isSameChoice() {
      return from.algorithm().equals(to.algorithm())
          && from.protocol().equals(to.protocol())
          && from.error().equals(to.error());
    }
  }

  /**
   * Compares two variants.
   *
   * @param from prefix of the key of the first variant
   * @param to prefix of the key of the second variant
   * @throws SettingException if no key or several keys have one of the prefixes
   */
  public static RowDifference of(ResultFolder folder, String from, String to) {
    List<ResultRow> before = new ArrayList<>();
    List<ResultRow> after = new ArrayList<>();
    for (int part : folder.parts()) {
      folder.read(
          part,
          row -> {
            collect(row, from, before);
            collect(row, to, after);
          });
    }
    requireOne(from, before);
    requireOne(to, after);
    List<Call> calls =
        IntStream.range(0, Math.min(before.size(), after.size()))
            .mapToObj(
                i ->
                    new Call(
                        Scenario.of(before.get(i)).question(),
                        before.get(i).outcome(),
                        after.get(i).outcome()))
            .toList();
    ResultRow a = before.get(0);
    ResultRow b = after.get(0);
    List<Value> axes = values(folder.info().axes(), a, b);
    Map<String, String> common = new LinkedHashMap<>();
    axes.stream().filter(Value::isSame).forEach(value -> common.put(value.axis, value.from));
    return new RowDifference(
        a.key(), b.key(), axes.stream().filter(value -> !value.isSame()).toList(), common, calls);
  }

  /**
   * Collects the rows of the variants whose key has a prefix; of several variants with the same key
   * only those of the first.
   */
  private static void collect(ResultRow row, String key, List<ResultRow> rows) {
    if (row.key().startsWith(key)
        && (rows.isEmpty()
            || rows.get(0).variant() == row.variant()
            || !rows.get(0).key().equals(row.key()))) {
      rows.add(row);
    }
  }

  private static void requireOne(String key, List<ResultRow> rows) {
    long keys = rows.stream().map(ResultRow::key).distinct().count();
    if (keys != 1) {
      throw new SpecException(
          SpecField.DIFF,
          " %s: %s, expected the key of one variant",
          key,
          keys == 0 ? "no variant has it" : keys + " variants begin so");
    }
  }

  private static List<Value> values(List<String> axes, ResultRow a, ResultRow b) {
    List<Value> values = new ArrayList<>();
    values.add(new Value("machine", a.machine(), b.machine()));
    for (int i = 0; i < axes.size(); i++) {
      values.add(new Value(axes.get(i), a.values().get(i), b.values().get(i)));
    }
    values.add(new Value("fabric", a.fabric(), b.fabric()));
    values.add(new Value("nodes", String.valueOf(a.nodes()), String.valueOf(b.nodes())));
    return values;
  }
}
