package dev.topo.sweep.answer;

import dev.topo.model.settings.SettingException;
import dev.topo.sweep.result.ResultFolder;
import dev.topo.sweep.result.ResultRow;
import dev.topo.sweep.result.ResultRow.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What differs between two variants of a sweep.
 *
 * @param from the key of the one
 * @param to the key of the other
 * @param values the axes whose values differ
 * @param calls the answers of both
 */
public record RowDifference(String from, String to, List<Value> values, List<Call> calls) {
  public RowDifference {
    values = List.copyOf(values);
    calls = List.copyOf(calls);
  }

  /** An axis whose value differs. */
  public record Value(String axis, String from, String to) {}

  /** A call or workload. */
  public record Call(String question, Outcome from, Outcome to) {
    /** By which part the time changes; empty if one of the two is missing. */
    public OptionalDouble change() {
      return from.timeUs().isPresent() && to.timeUs().isPresent()
          ? OptionalDouble.of(to.timeUs().getAsDouble() / from.timeUs().getAsDouble() - 1)
          : OptionalDouble.empty();
    }

    /** Whether NCCL chooses the same algorithm and protocol, or both fail alike. */
    public boolean isSameChoice() {
      return from.algorithm().equals(to.algorithm())
          && from.protocol().equals(to.protocol())
          && from.error().equals(to.error());
    }
  }

  /**
   * Compares two variants.
   *
   * @param from the beginning of the key of the one
   * @param to the beginning of the key of the other
   * @throws SettingException if no variant or several begin so
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
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      calls.add(
          new Call(
              Scenario.of(before.get(i)).question(),
              before.get(i).outcome(),
              after.get(i).outcome()));
    }
    ResultRow a = before.get(0);
    ResultRow b = after.get(0);
    return new RowDifference(a.key(), b.key(), values(folder.info().axes(), a, b), calls);
  }

  /** The rows of a variant; of several that have one key the first one's. */
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
      throw new SettingException(
          "--diff %s: %s, expected the key of one variant"
              .formatted(key, keys == 0 ? "no variant has it" : keys + " variants begin so"));
    }
  }

  private static List<Value> values(List<String> axes, ResultRow a, ResultRow b) {
    List<Value> values = new ArrayList<>();
    add("machine", a.machine(), b.machine(), values);
    for (int i = 0; i < axes.size(); i++) {
      add(axes.get(i), a.values().get(i), b.values().get(i), values);
    }
    add("fabric", a.fabric(), b.fabric(), values);
    add("nodes", a.nodes(), b.nodes(), values);
    return values;
  }

  private static void add(String axis, Object a, Object b, List<Value> values) {
    if (!Objects.equals(a, b)) {
      values.add(new Value(axis, String.valueOf(a), String.valueOf(b)));
    }
  }
}
