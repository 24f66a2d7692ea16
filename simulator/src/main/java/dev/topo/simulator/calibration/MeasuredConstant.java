package dev.topo.simulator.calibration;

import dev.topo.model.io.ResourceTable;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** A constant of a calibration, which has a name in files and a unit. */
public interface MeasuredConstant {
  /** The name in files. */
  String label();

  /** The unit; 1 for a ratio. */
  String unit();

  /** What it means, in a few words: the line of {@code meanings.properties} beside its class. */
  default String meaning() {
    NamedValue line = MEANINGS.computeIfAbsent(getClass(), MeasuredConstant::meanings).get(label());
    return Objects.requireNonNull(line).value();
  }

  /** The lines of the files by the kind of constants. */
  Map<Class<?>, Map<String, NamedValue>> MEANINGS = new ConcurrentHashMap<>();

  private static Map<String, NamedValue> meanings(Class<?> kind) {
    String file = "meanings.properties";
    return NamedValue.read(ResourceTable.text(kind, file), file);
  }

  /**
   * An unmodifiable copy of the values of all constants of a kind.
   *
   * @param owner the beginning of messages
   * @throws IllegalArgumentException if a value is missing, infinite, or not above 0
   */
  static <C extends Enum<C> & MeasuredConstant> Map<C, Double> complete(
      Class<C> kind, Map<C, Double> values, String owner) {
    Map<C, Double> copy = new EnumMap<>(kind);
    copy.putAll(values);
    for (C constant : kind.getEnumConstants()) {
      Double value = copy.get(constant);
      if (value == null || !(value > 0) || value.isInfinite()) {
        throw new IllegalArgumentException(
            owner + constant.label() + " is " + value + ": expected > 0");
      }
    }
    return Collections.unmodifiableMap(copy);
  }

  /** Values as lines of a file with four digits, each below a comment with its unit. */
  static <C extends MeasuredConstant> String lines(Map<C, Double> values) {
    StringBuilder lines = new StringBuilder();
    values.forEach(
        (constant, value) ->
            lines.append(
                String.format(
                    Locale.ROOT, "# %s\n%s = %.4g\n", constant.unit(), constant.label(), value)));
    return lines.toString();
  }
}
