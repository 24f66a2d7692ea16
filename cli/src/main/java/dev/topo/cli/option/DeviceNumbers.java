package dev.topo.cli.option;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads device numbers that follow each other: {@code 3}, or {@code 0-3}. Picocli adds all elements
 * of the returned list to that of the option.
 */
final class DeviceNumbers implements ITypeConverter<List<Integer>> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

  @Override
  public List<Integer> convert(String text) {
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
    return IntStream.rangeClosed(first, last).boxed().toList();
  }
}
