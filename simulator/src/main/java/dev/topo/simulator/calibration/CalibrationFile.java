package dev.topo.simulator.calibration;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.simulator.calibration.Calibration.MeasuredOn;
import dev.topo.simulator.calibration.NamedValue.FittedConstant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes calibrations as text: a line {@code name = value} for the name, the origin, the
 * measured runs, the spread and each constant in its unit, and one for the list of published
 * constants, if any; {@code #} starts a comment. Shipped files contain the constants of a
 * generation of GPUs ({@link Constant#OF_GENERATION}); other constants that a file omits have the
 * values common to all generations.
 */
public final class CalibrationFile {
  /** Names of the shipped calibrations. The first gives launch times to machines without one. */
  public static final List<String> SHIPPED =
      List.of(
          "h200-nvswitch",
          "h100-nvswitch",
          "a100-nvswitch",
          "b200-nvswitch",
          "gb200-nvswitch",
          "pcie");

  /**
   * Calibrations that lack measurements of some kinds of runs (launches by one process, CUDA
   * graphs, symmetric windows), each with a calibration of the same generation that has them.
   */
  private static final Map<String, String> RELATED = Map.of("h100-nvswitch", "h200-nvswitch");

  /** File with the constants common to all generations. */
  private static final String COMMON = "common.properties";

  private static final String NAME = "name";
  private static final String ORIGIN = "origin";
  private static final String MACHINES = "machines";
  private static final String GPUS = "gpus";
  private static final String BYTES = "bytes";
  private static final String SPREAD = "spread";
  private static final String PUBLISHED = "published";
  private static final Set<String> HEADER =
      Set.of(NAME, ORIGIN, MACHINES, GPUS, BYTES, SPREAD, PUBLISHED);

  /** Upper limit on the number of GPUs; no job has more. */
  private static final int MAX_GPUS = 1 << 20;

  private static final Map<Constant, Double> COMMON_VALUES = common();

  /** Hint in error messages, as another version of topo may have other constants. */
  private static final String REGENERATE_HINT = ": topo calibrate makes the file anew";

  private static final ShippedCalibrations<Calibration> FILES =
      new ShippedCalibrations<>(CalibrationFile.class, SHIPPED, CalibrationFile::read);

  private CalibrationFile() {}

  /** The shipped calibration with a name; empty if there is none. */
  public static Optional<Calibration> shipped(String name) {
    return FILES.find(name);
  }

  /** Name of the calibration whose spreads apply to launches that were not measured; or empty. */
  public static Optional<String> related(String name) {
    return Optional.ofNullable(RELATED.get(name));
  }

  /** Shipped calibrations of GPU generations, in the order of {@link #SHIPPED}. */
  public static List<Calibration> shipped() {
    return FILES.all();
  }

  /** True if a calibration equals the shipped one of its name. */
  public static boolean isShipped(Calibration calibration) {
    return shipped(calibration.name()).equals(Optional.of(calibration));
  }

  /**
   * Parses a calibration.
   *
   * @param file name of the file for error messages
   * @throws TopologyFormatException if a line is malformed or a constant is missing
   */
  public static Calibration read(String text, String file) {
    Map<String, NamedValue> entries = NamedValue.read(text, file);
    Map<Constant, Double> values = values(entries, file);
    NamedValue spread = required(entries, SPREAD, file);
    if (spread.number() > 1) {
      throw spread.expected("a part of the time, up to 1");
    }
    MeasuredOn measuredOn =
        new MeasuredOn(
            list(required(entries, MACHINES, file), ";"),
            (int) Math.min(MAX_GPUS, required(entries, GPUS, file).number()),
            (long) required(entries, BYTES, file).number());
    return new Calibration(
        required(entries, NAME, file).value(),
        required(entries, ORIGIN, file).value(),
        measuredOn,
        spread.number(),
        values,
        published(entries.get(PUBLISHED)));
  }

  private static Set<Constant> published(@Nullable NamedValue list) {
    Set<Constant> published = EnumSet.noneOf(Constant.class);
    if (list != null) {
      for (String label : list(list, ",")) {
        published.add(
            Constant.ofLabel(label)
                .orElseThrow(() -> list.expected("constants, separated by commas")));
      }
    }
    return published;
  }

  private static Set<String> list(NamedValue line, String separator) {
    return Stream.of(line.value().split(separator, -1))
        .map(String::strip)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static NamedValue required(Map<String, NamedValue> entries, String key, String file) {
    return NamedValue.required(entries, key, file, "the " + key + " is missing" + REGENERATE_HINT);
  }

  private static Map<Constant, Double> values(Map<String, NamedValue> entries, String file) {
    Map<Constant, Double> values = new EnumMap<>(Constant.class);
    for (NamedValue entry : entries.values()) {
      if (!HEADER.contains(entry.name())) {
        Constant constant =
            Constant.ofLabel(entry.name())
                .orElseThrow(
                    () -> entry.wrong("no constant is called " + entry.name() + REGENERATE_HINT));
        values.put(constant, entry.number());
      }
    }
    for (Constant constant : Constant.OF_GENERATION) {
      if (!values.containsKey(constant)) {
        throw new TopologyFormatException(
            file, "the constant " + constant.label() + " is missing" + REGENERATE_HINT);
      }
    }
    COMMON_VALUES.forEach(
        (constant, value) ->
            values.putIfAbsent(constant, value * constant.lead().map(values::get).orElse(1.0)));
    return values;
  }

  private static Map<Constant, Double> common() {
    Map<Constant, Double> values = new EnumMap<>(Constant.class);
    NamedValue.read(ResourceTable.text(CalibrationFile.class, COMMON), COMMON)
        .values()
        .forEach(entry -> values.put(Constant.ofLabel(entry.name()).orElseThrow(), entry.number()));
    return Map.copyOf(values);
  }

  /** The text of a calibration, with four digits of each constant. */
  public static String write(Calibration calibration) {
    return write(calibration, EnumSet.allOf(Constant.class));
  }

  private static Map<Constant, Double> only(Calibration calibration, Set<Constant> constants) {
    Map<Constant, Double> values = new EnumMap<>(calibration.values());
    values.keySet().retainAll(constants);
    return values;
  }

  /** The text of a calibration with some of its constants. */
  public static String write(Calibration calibration, Set<Constant> constants) {
    MeasuredOn measuredOn = calibration.measuredOn();
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                """
                name = %s
                origin = %s
                # what was measured: machines, and most GPUs and bytes of a call
                machines = %s
                gpus = %d
                bytes = %d
                # what 90 of 100 predictions are off by at most, as a part of the time
                spread = %.2f
                """,
                calibration.name(),
                calibration.origin(),
                String.join("; ", measuredOn.machines()),
                measuredOn.gpus(),
                measuredOn.largestBytes(),
                calibration.spread()));
    if (!calibration.published().isEmpty()) {
      text.append(
          calibration.published().stream()
              .map(Constant::label)
              .collect(
                  Collectors.joining(
                      ", ",
                      "# what rests on busbw that others have published\npublished = ",
                      "\n")));
    }
    return text.append('\n').append(FittedConstant.lines(only(calibration, constants))).toString();
  }

  /** Shipped calibrations of one kind. Each file is read once. */
  public static final class ShippedCalibrations<C> {
    private final Class<?> owner;
    private final List<String> names;
    private final BiFunction<String, String, C> reader;
    private final Map<String, C> known = new ConcurrentHashMap<>();

    /**
     * Calibrations in files {@code NAME.properties}.
     *
     * @param owner class in whose package the files are stored
     * @param names names of the calibrations
     * @param reader parses a text; its second argument is the name of the file for error messages
     */
    public ShippedCalibrations(
        Class<?> owner, List<String> names, BiFunction<String, String, C> reader) {
      this.owner = owner;
      this.names = names;
      this.reader = reader;
    }

    /** The calibration with a name; empty if there is none. */
    public Optional<C> find(String name) {
      return names.contains(name)
          ? Optional.of(known.computeIfAbsent(name, this::read))
          : Optional.empty();
    }

    /** All calibrations, in the order of the names. */
    public List<C> all() {
      return names.stream().flatMap(name -> find(name).stream()).toList();
    }

    private C read(String name) {
      String file = name + ".properties";
      return reader.apply(ResourceTable.text(owner, file), file);
    }
  }
}
