package dev.topo.cli;

import dev.topo.cli.option.Format;
import dev.topo.model.io.OutputException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The ending of the output file: it picks the format where the user names none, and is refused
 * where it is that of no format of the command. A name without an ending is a file of any format.
 */
final class FileEnding {
  private static final String FORMAT = "--format";

  /** Numbers behind a dot, as of a version or a date, are no ending. */
  private static final Pattern ENDING = Pattern.compile("[^/]+(\\.[a-z][a-z0-9]*)");

  private FileEnding() {}

  /**
   * Sets the format of a command by its output file.
   *
   * @param only the endings of the output of a command whose output has one format; else empty
   * @throws OutputException if the ending is of no format of the command
   */
  public static void apply(ParseResult command, List<String> only) {
    OptionSpec output = command.matchedOption("--output");
    if (output == null || !(output.<Object>getValue() instanceof Path file)) {
      return;
    }
    OptionSpec option = command.commandSpec().findOption(FORMAT);
    if (!only.isEmpty() || option == null) {
      check(file, only);
    } else if (!command.hasMatchedOption(FORMAT)) {
      byEnding(file, formats(option)).ifPresent(option::setValue);
    } else if (option.<Format>getValue().needsItsEnding()) {
      check(file, option.<Format>getValue().endings());
    }
  }

  private static List<Format> formats(OptionSpec option) {
    return Arrays.stream(option.type().getEnumConstants()).map(Format.class::cast).toList();
  }

  /** The format of the longest ending. */
  private static Optional<Format> byEnding(Path file, List<Format> formats) {
    check(file, formats.stream().flatMap(format -> format.endings().stream()).distinct().toList());
    return formats.stream()
        .filter(format -> longest(file, format) > 0)
        .min(Comparator.comparingInt(format -> -longest(file, format)));
  }

  private static int longest(Path file, Format format) {
    return format.endings().stream()
        .filter(ending -> name(file).endsWith(ending))
        .mapToInt(String::length)
        .max()
        .orElse(0);
  }

  private static void check(Path file, List<String> expected) {
    Matcher name = ENDING.matcher(name(file));
    if (name.matches() && expected.stream().noneMatch(name(file)::endsWith)) {
      throw new OutputException(
          "-o %s: ends in %s, expected %s"
              .formatted(file, name.group(1), String.join(" or ", expected)));
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
  }
}
