package dev.topo.cli;

import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses numbers as nccl-tests does ({@code strtol} with base 0): {@code 16}, {@code 0x10} and
 * {@code 020} are the same number.
 */
final class CNumberOption {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(0[xX][0-9a-fA-F]{1,15}|0[0-7]{0,20}|[1-9][0-9]{0,17})");

  private CNumberOption() {}

  /**
   * Parses an {@code int}.
   *
   * @throws TypeConversionException if the text is not a number, or does not fit into an {@code
   *     int}
   */
  static int ofInt(String text) {
    long number = ofLong(text);
    if (number != (int) number) {
      throw new TypeConversionException("'" + text + "' is not an int");
    }
    return (int) number;
  }

  /**
   * Parses a {@code long}.
   *
   * @throws TypeConversionException if the text is not a number
   */
  static long ofLong(String text) {
    if (!NUMBER.matcher(text).matches()) {
      throw new TypeConversionException("'" + text + "' is not a number");
    }
    return Long.decode(text);
  }
}
