package dev.topo.simulator.calibration;

import dev.topo.model.io.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.simulator.calibration.Calibration.MeasuredOn;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calibrations as text: a line {@code name = value} for the name, the origin, what was measured,
 * the spread and each constant in its unit, and one that lists the constants that others have
 * published, where there are some; {@code #} begins a comment. Some come with topo.
 */
public final class CalibrationFile {
  /** Names of the calibrations that come with topo, the one to take by default first. */
  public static final List<String> SHIPPED =
      List.of("h200-nvswitch", "a100-nvswitch", "b200-nvswitch", "pcie");

  private static final String NAME = "name";
  private static final String ORIGIN = "origin";
  private static final String MACHINES = "machines";
  private static final String GPUS = "gpus";
  private static final String BYTES = "bytes";
  private static final String SPREAD = "spread";
  private static final String PUBLISHED = "published";
  private static final Set<String> ABOUT =
      Set.of(NAME, ORIGIN, MACHINES, GPUS, BYTES, SPREAD, PUBLISHED);

  /** More than any job has. */
  private static final int MAX_GPUS = 1 << 20;

  /** The constants are those of this version of topo. */
  private static final String ANEW = ": topo calibrate makes the file anew";

  private static final ShippedCalibrations<Calibration> FILES =
      new ShippedCalibrations<>(CalibrationFile.class, SHIPPED, CalibrationFile::read);

  private CalibrationFile() {}

  /** A calibration that comes with topo; empty if there is none of this name. */
  public static Optional<Calibration> shipped(String name) {
    return FILES.find(name);
  }

  /** True if a calibration comes with topo. */
  public static boolean isShipped(Calibration calibration) {
    return shipped(calibration.name()).equals(Optional.of(calibration));
  }

  /**
   * A calibration from its text.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if a line is wrong or a constant is missing
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

  private static Set<String> list(NamedValue of, String separator) {
    return Stream.of(of.value().split(separator, -1))
        .map(String::strip)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static NamedValue required(Map<String, NamedValue> entries, String key, String file) {
    return NamedValue.required(entries, key, file, "the " + key + " is missing" + ANEW);
  }

  private static Map<Constant, Double> values(Map<String, NamedValue> entries, String file) {
    Map<Constant, Double> values = new EnumMap<>(Constant.class);
    for (NamedValue entry : entries.values()) {
      if (!ABOUT.contains(entry.name())) {
        Constant constant =
            Constant.ofLabel(entry.name())
                .orElseThrow(() -> entry.wrong("no constant is called " + entry.name() + ANEW));
        values.put(constant, entry.number());
      }
    }
    for (Constant constant : Constant.values()) {
      if (!values.containsKey(constant)) {
        throw new TopologyFormatException(
            SourceLocation.of(file), "the constant " + constant.label() + " is missing" + ANEW);
      }
    }
    return values;
  }

  /** The text of a calibration, with four digits of each constant. */
  public static String write(Calibration calibration) {
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
    return text.append('\n').append(MeasuredConstant.lines(calibration.values())).toString();
  }
}
