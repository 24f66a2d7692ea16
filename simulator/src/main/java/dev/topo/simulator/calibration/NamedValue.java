package dev.topo.simulator.calibration;

import dev.topo.model.Labels;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.ResourceTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.io.TopologyFormatException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A line {@code name = value} of a file of constants; {@code #} begins a comment.
 *
 * @param name text before the equals sign
 * @param value text after the equals sign
 * @param here file and line
 */
public record NamedValue(String name, String value, SourceLocation here) {
  /**
   * Reads the lines of a file: values by name, in order. Blank lines and comments are skipped.
   *
   * @param file name of the file for error messages
   * @throws TopologyFormatException if a line is malformed or a name occurs twice
   */
  public static Map<String, NamedValue> read(String text, String file) {
    Map<String, NamedValue> values = new LinkedHashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank() || line.strip().startsWith("#")) {
        continue;
      }
      SourceLocation location = new SourceLocation(file, number, 1);
      int equals = line.indexOf('=');
      if (equals < 0) {
        throw new TopologyFormatException(location, "\"" + line + "\": expected name = value");
      }
      String name = line.substring(0, equals).strip();
      NamedValue value = new NamedValue(name, line.substring(equals + 1).strip(), location);
      if (values.put(name, value) != null) {
        throw value.wrong(name + " occurs twice");
      }
    }
    return values;
  }

  /**
   * The line with a name.
   *
   * @param lines the lines of a file
   * @param file name of the file for error messages
   * @param problem message if there is no such line or it has no value
   * @throws TopologyFormatException with that message
   */
  public static NamedValue required(
      Map<String, NamedValue> lines, String name, String file, String problem) {
    NamedValue line = lines.get(name);
    if (line == null || line.value.isEmpty()) {
      throw new TopologyFormatException(file, problem);
    }
    return line;
  }

  /**
   * The value as a number above 0.
   *
   * @throws TopologyFormatException if the value is not such a number
   */
  public double number() {
    try {
      double number = Double.parseDouble(value);
      if (number > 0 && Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw expected("a number above 0");
  }

  /**
   * An error for a value of the wrong kind.
   *
   * @param what the expected kind of value
   */
  public TopologyFormatException expected(String what) {
    return wrong(name + " \"" + value + "\": expected " + what);
  }

  /**
   * An error at this line.
   *
   * @param what the problem
   */
  public TopologyFormatException wrong(String what) {
    return new TopologyFormatException(here, what);
  }

  /** Constant of a calibration. Implemented by enums. */
  public interface MeasuredConstant {
    /** Name of the enum constant. */
    String name();

    /** Name in files: {@code launch.per-gpu} for {@code LAUNCH_PER_GPU}. */
    default String label() {
      return name().toLowerCase(Locale.ROOT).replace("per_", "per-").replace('_', '.');
    }

    /** The constant of a kind with a label; empty if there is none. */
    static <C extends Enum<C> & MeasuredConstant> Optional<C> ofLabel(Class<C> kind, String label) {
      return Labels.exact(kind.getEnumConstants(), MeasuredConstant::label, label);
    }

    /**
     * An unmodifiable copy of the values of all constants of a kind.
     *
     * @param owner prefix of error messages
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
  }

  /**
   * Constant that fits determine. {@code constants.properties} in the package of its class has a
   * line {@code label = value unit meaning} for each.
   */
  public interface FittedConstant extends MeasuredConstant {
    /** Words of the lines that were read. */
    Map<FittedConstant, List<String>> WORDS = new ConcurrentHashMap<>();

    /** Value from which a fit starts. */
    default double typical() {
      return Double.parseDouble(word(0));
    }

    /** Unit; 1 for a ratio. */
    default String unit() {
      return word(1);
    }

    /** Meaning in a few words. */
    default String meaning() {
      return word(2);
    }

    private String word(int index) {
      return WORDS.computeIfAbsent(this, FittedConstant::words).get(index);
    }

    private static List<String> words(FittedConstant constant) {
      String file = "constants.properties";
      String text = ResourceTable.text(constant.getClass(), file);
      NamedValue line = Objects.requireNonNull(NamedValue.read(text, file).get(constant.label()));
      return Arrays.asList(line.value.split(" ", 3));
    }

    /** File lines for values, with four digits, each preceded by a comment with its unit. */
    static <C extends FittedConstant> String lines(Map<C, Double> values) {
      StringBuilder lines = new StringBuilder();
      values.forEach(
          (constant, value) ->
              lines.append(
                  TextWriter.format(
                      "# %s\n%s = %.4g\n", constant.unit(), constant.label(), value)));
      return lines.toString();
    }
  }
}
