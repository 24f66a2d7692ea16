package dev.topo.property;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A number as an answer shows it, in the unit of its kind: microseconds of times, else as it is.
 *
 * @param value the number
 * @param error what rounding leaves out at most
 */
record Shown(double value, double error) {
  /** JSON and CSV have six digits, or those of a float. */
  private static final double DIGITS = 1e-5;

  private static final Pattern NUMBER =
      Pattern.compile("(-?[0-9]*\\.?([0-9]*)(?:e([-+]?[0-9]+))?)( us| ms| s| gb/s)?");

  /** A number with its unit, as {@code 1.33 ms}. */
  static Shown of(String text) {
    Matcher number = NUMBER.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!number.matches()) {
      throw new AssertionError("no number: " + text);
    }
    double unit =
        switch (String.valueOf(number.group(4))) {
          case " ms" -> 1e3;
          case " s" -> 1e6;
          default -> 1;
        };
    int exponent = number.group(3) == null ? 0 : Integer.parseInt(number.group(3));
    double last = Math.pow(10, exponent - number.group(2).length());
    double value = Double.parseDouble(number.group(1)) * unit;
    return new Shown(value, last * unit / 2 + DIGITS * Math.abs(value));
  }

  /** Channels of a call: those it is launched on, and those that the tuner allows if more. */
  static String channels(JsonNode call) {
    String launched = call.get("launchedChannels").asString();
    String allowed = call.get("channels").asString();
    return launched.equals(allowed) ? allowed : launched + " of at most " + allowed;
  }

  /** Whether another one may be the same number. */
  boolean isSame(Shown other) {
    return Math.abs(value - other.value) <= error + other.error;
  }
}
