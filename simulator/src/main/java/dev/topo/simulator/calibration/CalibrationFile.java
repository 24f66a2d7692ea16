package dev.topo.simulator.calibration;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.simulator.timing.Calibration;
import dev.topo.simulator.timing.Constant;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Calibrations as text: a line {@code name = value} for the name, the origin, the spread and each
 * constant in its unit, and one that lists the constants that others have published, where there
 * are some; {@code #} begins a comment. Some come with topo.
 */
public final class CalibrationFile {
  /** Names of the calibrations that come with topo, the one to take by default first. */
  public static final List<String> SHIPPED =
      List.of("h200-nvswitch", "a100-nvswitch", "b200-nvswitch", "pcie");

  private static final String NAME = "name";
  private static final String ORIGIN = "origin";
  private static final String SPREAD = "spread";
  private static final String PUBLISHED = "published";

  /** The constants are those of this version of topo. */
  private static final String ANEW = ": topo calibrate makes the file anew";

  private static final Map<String, Calibration> READ = new ConcurrentHashMap<>();

  private CalibrationFile() {}

  /** A calibration that comes with topo; empty if there is none of this name. */
  public static Optional<Calibration> shipped(String name) {
    return SHIPPED.contains(name)
        ? Optional.of(READ.computeIfAbsent(name, CalibrationFile::resource))
        : Optional.empty();
  }

  private static Calibration resource(String name) {
    String file = name + ".properties";
    try (InputStream in = CalibrationFile.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + file);
      }
      return read(new String(in.readAllBytes(), StandardCharsets.UTF_8), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A calibration from its text.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if a line is wrong or a constant is missing
   */
  public static Calibration read(String text, String file) {
    Map<Constant, Double> values = new EnumMap<>(Constant.class);
    String name = "";
    String origin = "";
    double spread = 1;
    Set<Constant> published = EnumSet.noneOf(Constant.class);
    Set<String> seen = new HashSet<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      SourceLocation here = new SourceLocation(file, number, 1);
      if (line.isBlank() || line.strip().startsWith("#")) {
        continue;
      }
      int equals = line.indexOf('=');
      if (equals < 0) {
        throw new TopologyFormatException(here, "\"" + line + "\": expected name = value");
      }
      String key = line.substring(0, equals).strip();
      String value = line.substring(equals + 1).strip();
      if (!seen.add(key)) {
        throw new TopologyFormatException(here, key + " stands twice");
      }
      if (key.equals(NAME)) {
        name = value;
      } else if (key.equals(ORIGIN)) {
        origin = value;
      } else if (key.equals(SPREAD)) {
        spread = number(value, key, here);
        if (spread > 1) {
          throw new TopologyFormatException(
              here, key + " \"" + value + "\": expected a part of the time, up to 1");
        }
      } else if (key.equals(PUBLISHED)) {
        for (String label : value.split(",", -1)) {
          published.add(listed(label.strip(), value, here));
        }
      } else {
        values.put(constant(key, here), number(value, key, here));
      }
    }
    for (Constant constant : Constant.values()) {
      if (!values.containsKey(constant)) {
        throw new TopologyFormatException(
            SourceLocation.of(file), "the constant " + constant.label() + " is missing" + ANEW);
      }
    }
    if (name.isEmpty()) {
      throw new TopologyFormatException(SourceLocation.of(file), "the name is missing");
    }
    return new Calibration(name, origin, spread, values, published);
  }

  private static Constant listed(String label, String list, SourceLocation here) {
    return Constant.ofLabel(label)
        .orElseThrow(
            () ->
                new TopologyFormatException(
                    here,
                    PUBLISHED + " \"" + list + "\": expected constants, separated by commas"));
  }

  private static Constant constant(String label, SourceLocation here) {
    return Constant.ofLabel(label)
        .orElseThrow(
            () -> new TopologyFormatException(here, "no constant is called " + label + ANEW));
  }

  private static double number(String text, String key, SourceLocation here) {
    try {
      double value = Double.parseDouble(text);
      if (value > 0 && Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new TopologyFormatException(here, key + " \"" + text + "\" is not a number above 0");
  }

  /** The text of a calibration, with four digits of each constant. */
  public static String write(Calibration calibration) {
    StringBuilder text = new StringBuilder();
    text.append(NAME).append(" = ").append(calibration.name()).append('\n');
    text.append(ORIGIN).append(" = ").append(calibration.origin()).append('\n');
    text.append("# what 90 of 100 predictions are off by at most, as a part of the time\n");
    text.append(String.format(Locale.ROOT, "%s = %.2f\n", SPREAD, calibration.spread()));
    if (!calibration.published().isEmpty()) {
      text.append("# what rests on busbw that others have published\n").append(PUBLISHED);
      text.append(
          calibration.published().stream()
              .map(Constant::label)
              .collect(Collectors.joining(", ", " = ", "\n")));
    }
    text.append('\n');
    for (Constant constant : Constant.values()) {
      text.append("# ").append(constant.unit()).append('\n');
      text.append(
          String.format(Locale.ROOT, "%s = %.4g%n", constant.label(), calibration.value(constant)));
    }
    return text.toString().replace("\r\n", "\n");
  }
}
