package dev.topo.search.rules;

import dev.topo.model.Labels;
import dev.topo.model.Link.PathType;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.ResourceTable;
import dev.topo.model.operation.Collective;
import dev.topo.search.rules.BySm.SmSet;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a rule file, {@code key = value # origin} in each line. Every entry must be read:
 * a missing key fails when it is read, an unknown one in {@link #rejectUnread}. Thread-safe.
 */
final class RuleTable {
  private final String name;
  private final Map<String, String> values;
  private final Set<String> unread;

  RuleTable(String name, Map<String, String> values) {
    this.name = name;
    this.values = values;
    this.unread = new ConcurrentSkipListSet<>(values.keySet());
  }

  /**
   * The entries of a version: its own file overrides the version that the file names as its {@code
   * base}. An entry without a value removes the entry of the base.
   *
   * @param owner the class in whose package the files are
   */
  static Map<String, String> load(Class<?> owner, String version) {
    String resource = version + ".rules";
    Map<String, String> entries = new LinkedHashMap<>();
    ResourceTable.lines(owner, resource).forEach(entry -> add(entry, entries, resource));
    String base = entries.remove("base");
    Map<String, String> values = base == null ? new LinkedHashMap<>() : load(owner, base);
    entries.forEach(
        (key, value) -> {
          String replaced = value.isEmpty() ? values.remove(key) : values.put(key, value);
          if (value.isEmpty() && replaced == null || value.equals(replaced)) {
            throw new IllegalArgumentException(resource + ": " + key + " changes nothing");
          }
        });
    return values;
  }

  static void add(String entry, Map<String, String> values, String file) {
    int equals = entry.indexOf('=');
    String key = equals < 0 ? "" : entry.substring(0, equals).strip();
    if (key.isEmpty()) {
      throw new IllegalArgumentException(file + ": '" + entry + "', expected key = value");
    }
    if (values.put(key, entry.substring(equals + 1).strip()) != null) {
      throw new IllegalArgumentException(file + ": key " + key + " is there twice");
    }
  }

  String text(String key) {
    String value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException(name + ": key " + key + " is missing");
    }
    unread.remove(key);
    return value;
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  List<String> words(String key) {
    return Arrays.asList(text(key).split(" +", -1));
  }

  int integer(String key) {
    return (int) longInteger(key);
  }

  /** A rule that holds (1) or not (0). */
  boolean flag(String key) {
    return integer(key) != 0;
  }

  /** A whole number; {@code none} means {@link Integer#MAX_VALUE}. */
  int limit(String key) {
    return text(key).equals("none") ? Integer.MAX_VALUE : integer(key);
  }

  long longInteger(String key) {
    try {
      return Long.parseLong(text(key));
    } catch (NumberFormatException e) {
      throw bad(key, "a whole number", e);
    }
  }

  /** A number, or a quotient of two as in {@code 7/9}. */
  double number(String key) {
    return number(key, text(key));
  }

  private double number(String key, String text) {
    try {
      int slash = text.indexOf('/');
      return slash < 0
          ? Double.parseDouble(text)
          : Double.parseDouble(text.substring(0, slash))
              / Double.parseDouble(text.substring(slash + 1));
    } catch (NumberFormatException e) {
      throw bad(key, "a number", e);
    }
  }

  float single(String key) {
    return (float) number(key);
  }

  double[] numbers(String key) {
    return words(key).stream().mapToDouble(word -> number(key, word)).toArray();
  }

  PathType type(String key) {
    return types(key).get(0);
  }

  List<PathType> types(String key) {
    return words(key).stream().map(word -> type(key, word)).toList();
  }

  private PathType type(String key, String text) {
    try {
      return PathType.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw bad(key, "path types", e);
    }
  }

  /** The constant that the value names in lower case with hyphens. */
  <E extends Enum<E>> E one(String key, Class<E> type) {
    try {
      return Enum.valueOf(type, text(key).toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw bad(key, "one of " + Arrays.toString(type.getEnumConstants()), e);
    }
  }

  /** Path types; empty if the value is {@code word}, which means other types. */
  Optional<List<PathType>> typesOr(String key, String word) {
    return text(key).equals(word) ? Optional.empty() : Optional.of(types(key));
  }

  List<GraphKind> graphs(String key) {
    return named(key, GraphKind::ofLabel);
  }

  /** The objects that the words of an entry name; empty for {@code none}. */
  <T> List<T> named(String key, Function<String, Optional<T>> find) {
    return words(key).stream()
        .filter(word -> !word.equals("none"))
        .map(word -> find.apply(word).orElseThrow(() -> bad(key, "known names", null)))
        .toList();
  }

  /** True if the value is the first of two names, false if it is the second. */
  boolean isFirst(String key, String first, String second) {
    String value = text(key);
    if (!value.equals(first) && !value.equals(second)) {
      throw bad(key, first + " or " + second, null);
    }
    return value.equals(first);
  }

  /** Numbers by compute capability, each from its stated capability on. */
  BySm<Double> numbersBySm(String key) {
    return bySm(key, text -> number(key, text));
  }

  /** Path types by compute capability, each from its stated capability on. */
  BySm<PathType> typesBySm(String key) {
    return bySm(key, text -> type(key, text));
  }

  private <T> BySm<T> bySm(String key, Function<String, T> parse) {
    Map<Integer, T> from = new LinkedHashMap<>();
    for (String word : words(key)) {
      int colon = word.indexOf(':');
      from.put(
          sm(key, word.substring(0, Math.max(0, colon))), parse.apply(word.substring(colon + 1)));
    }
    return new BySm<>(from);
  }

  /**
   * Numbers by compute capability for AllGather, AllReduce and ReduceScatter, under keys of a
   * prefix and the name of the collective.
   */
  Map<Collective, BySm<Double>> numbersByCollective(String prefix) {
    Map<Collective, BySm<Double>> values = new EnumMap<>(Collective.class);
    for (Collective collective :
        List.of(Collective.ALL_GATHER, Collective.ALL_REDUCE, Collective.REDUCE_SCATTER)) {
      values.put(collective, numbersBySm(prefix + word(collective)));
    }
    return values;
  }

  /** A constant as rule files write it, in lower case with hyphens. */
  static String word(Enum<?> constant) {
    return Labels.of(constant);
  }

  /** The lists of numbers under a prefix, whose keys end in compute capabilities. */
  BySm<double[]> rowsBySm(String prefix) {
    Map<Integer, double[]> rows = new LinkedHashMap<>();
    group(prefix).keySet().forEach(sm -> rows.put(sm(prefix, sm), numbers(prefix + sm)));
    return new BySm<>(rows);
  }

  /** A set of compute capabilities, {@code 70 80 90} or {@code 70+}. */
  SmSet smSet(String key) {
    try {
      return SmSet.parse(text(key));
    } catch (NumberFormatException e) {
      throw bad(key, "compute capabilities", e);
    }
  }

  private int sm(String key, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw bad(key, "a compute capability before each value", e);
    }
  }

  /** The entries whose keys begin with a prefix, by the rest of their keys, in order. */
  Map<String, String> group(String prefix) {
    Map<String, String> group = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            group.put(key.substring(prefix.length()), text(key));
          }
        });
    return group;
  }

  /** Fails if there is an entry that nothing has read. */
  void rejectUnread() {
    if (!unread.isEmpty()) {
      throw new IllegalArgumentException(name + ": unknown keys " + unread);
    }
  }

  private IllegalArgumentException bad(String key, String expected, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        name + ": " + key + " = " + values.get(key) + ", expected " + expected, cause);
  }

  /** Rules of a version on one subject; the fields are read from the table on construction. */
  abstract static class Rules {
    final RuleTable table;

    Rules(RuleTable table) {
      this.table = table;
    }
  }
}
