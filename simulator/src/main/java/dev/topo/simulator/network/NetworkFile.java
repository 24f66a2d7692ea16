package dev.topo.simulator.network;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calibrations of networks as text: a line {@code name = value} for the name, the origin and each
 * constant in its unit; {@code #} begins a comment. Some come with topo.
 */
public final class NetworkFile {
  /** Names of the calibrations that come with topo. */
  public static final List<String> SHIPPED = List.of("rdma", "slingshot", "efa", "sockets");

  private static final Map<String, NetworkCalibration> READ = new ConcurrentHashMap<>();

  private NetworkFile() {}

  /** A calibration that comes with topo; empty if there is none of this name. */
  public static Optional<NetworkCalibration> shipped(String name) {
    return SHIPPED.contains(name)
        ? Optional.of(READ.computeIfAbsent(name, NetworkFile::resource))
        : Optional.empty();
  }

  private static NetworkCalibration resource(String name) {
    String file = name + ".properties";
    try (InputStream in = NetworkFile.class.getResourceAsStream(file)) {
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
   * @throws TopologyFormatException if a line is wrong or something is missing
   */
  public static NetworkCalibration read(String text, String file) {
    Map<NetworkConstant, Double> values = new EnumMap<>(NetworkConstant.class);
    String name = "";
    String origin = "";
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
      switch (key) {
        case "name" -> name = value;
        case "origin" -> origin = value;
        default -> {
          NetworkConstant constant =
              NetworkConstant.ofLabel(key)
                  .orElseThrow(
                      () -> new TopologyFormatException(here, "no constant is called " + key));
          if (values.put(constant, number(constant, value, here)) != null) {
            throw new TopologyFormatException(here, key + " occurs twice");
          }
        }
      }
    }
    return complete(name, origin, values, file);
  }

  private static NetworkCalibration complete(
      String name, String origin, Map<NetworkConstant, Double> values, String file) {
    for (NetworkConstant constant : NetworkConstant.values()) {
      if (!values.containsKey(constant)) {
        throw missing(file, "constant " + constant.label());
      }
    }
    if (name.isEmpty() || origin.isEmpty()) {
      throw missing(file, name.isEmpty() ? "name" : "origin");
    }
    return new NetworkCalibration(name, origin, values);
  }

  private static TopologyFormatException missing(String file, String what) {
    return new TopologyFormatException(SourceLocation.of(file), "the " + what + " is missing");
  }

  private static double number(NetworkConstant constant, String value, SourceLocation here) {
    double most = constant.isShare() ? 1 : Double.MAX_VALUE;
    try {
      double number = Double.parseDouble(value);
      if (number > 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new TopologyFormatException(
        here,
        "%s \"%s\": expected a number above 0%s"
            .formatted(constant.label(), value, constant.isShare() ? ", up to 1" : ""));
  }

  /** The text of a calibration, with four digits of each constant. */
  public static String write(NetworkCalibration calibration) {
    StringBuilder text =
        new StringBuilder(
            "name = %s\norigin = %s\n\n".formatted(calibration.name(), calibration.origin()));
    for (NetworkConstant constant : NetworkConstant.values()) {
      text.append(
          String.format(
              Locale.ROOT,
              "# %s\n%s = %.4g\n",
              constant.unit(),
              constant.label(),
              calibration.value(constant)));
    }
    return text.toString();
  }
}
