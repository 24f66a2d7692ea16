package dev.topo.cli.option.job;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Device numbers that follow each other: {@code 3}, or {@code 0-3}.
 *
 * @param first the first of them
 * @param last the last of them
 */
record DeviceRange(int first, int last) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

  /** Checks the order. */
  DeviceRange {
    if (first < 0 || last < first) {
      throw new IllegalArgumentException(first + "-" + last + ": the last is below the first");
    }
  }

  /** The device numbers in order. */
  IntStream devs() {
    return IntStream.rangeClosed(first, last);
  }

  /** Reads a range of the command line. */
  static final class Parser implements ITypeConverter<DeviceRange> {
    @Override
    public DeviceRange convert(String text) {
      Matcher matcher = FORM.matcher(text.strip());
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'" + text + "': expected a device number or a range of them, as in 0-3,6");
      }
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (last < first) {
        throw new TypeConversionException("'" + text + "': expected the smaller number first");
      }
      return new DeviceRange(first, last);
    }
  }
}
