package dev.topo.cli.help;

import dev.topo.model.Last;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option or a positional parameter as man pages and completions show it.
 *
 * @param names names of the option, shortest first; empty for a positional parameter
 * @param value label of its value, as in {@code FILE}; empty if it takes none
 * @param isFile whether the value is, or may be, a file or a folder
 * @param candidates the values to choose from; empty if the value is free
 * @param isRepeatable whether it may be given several times
 * @param description the description, one paragraph per entry
 */
record Argument(
    List<String> names,
    String value,
    boolean isFile,
    List<String> candidates,
    boolean isRepeatable,
    List<String> description) {

  Argument {
    names = List.copyOf(names);
    candidates = List.copyOf(candidates);
    description = List.copyOf(description);
  }

  /** The options of a command, sorted by their longest name. */
  static List<Argument> options(CommandSpec command) {
    return command.options().stream()
        .sorted(Comparator.comparing(option -> option.longestName().replaceFirst("^-+", "")))
        .map(Argument::of)
        .filter(option -> !option.description().isEmpty())
        .toList();
  }

  /** The positional parameters of a command. */
  static List<Argument> parameters(CommandSpec command) {
    return command.positionalParameters().stream()
        .map(parameter -> of(List.of(), parameter))
        .toList();
  }

  private static Argument of(OptionSpec option) {
    return of(
        Arrays.stream(option.names())
            .sorted(Comparator.comparing(String::length).thenComparing(String::compareTo))
            .toList(),
        option);
  }

  private static Argument of(List<String> names, ArgSpec argument) {
    boolean takesValue = argument.arity().max() > 0;
    return new Argument(
        names,
        takesValue ? plain(argument.paramLabel()) : "",
        takesValue && isFile(argument),
        takesValue ? candidates(argument) : List.of(),
        argument.isMultiValue(),
        description(argument));
  }

  /**
   * True if it is a positional parameter for topology files, for which completions also offer the
   * machines that come with topo.
   */
  boolean isMachine() {
    return names.isEmpty()
        && isFile
        && String.join(" ", description).matches("(?is).*\\btopology files?\\b.*");
  }

  /** The longest name of an option, or the label of a parameter's value. */
  String title() {
    return names.isEmpty() ? value : Last.of(names);
  }

  /** The first sentence of the description, without the full stop and the default. */
  String summary() {
    return firstSentence(String.join(" ", description).replaceFirst(" \\(default: .*", ""));
  }

  /** The first sentence of the description of a command, without its full stop. */
  static String summary(CommandSpec command) {
    return firstSentence(description(command));
  }

  /** The description of a command. */
  static String description(CommandSpec command) {
    return plain(String.join(" ", command.usageMessage().description())).strip();
  }

  /** The first sentence of a text, without its full stop. */
  private static String firstSentence(String text) {
    return text.strip().replaceFirst("(?s)(?<=[^.])[.:;] .*|[.:]$", "");
  }

  private static List<String> candidates(ArgSpec argument) {
    List<String> words = new ArrayList<>();
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(words::add);
    }
    return words;
  }

  private static boolean isFile(ArgSpec argument) {
    return Stream.concat(Stream.of(argument.type()), Arrays.stream(argument.auxiliaryTypes()))
            .anyMatch(type -> type == Path.class)
        || argument.paramLabel().matches(".*\\b(FILE|DIR|PATH|TRACE|MEASURED)\\b.*");
  }

  private static List<String> description(ArgSpec argument) {
    String values = String.join(", ", candidates(argument));
    String defaultValue = String.valueOf(argument.defaultValueString(true));
    return Arrays.stream(argument.description())
        .map(line -> line.replace("${COMPLETION-CANDIDATES}", values))
        .map(line -> line.replace("${DEFAULT-VALUE}", defaultValue))
        .map(Argument::plain)
        .toList();
  }

  /** Removes picocli's markup and escapes from a text. */
  static String plain(String text) {
    return Ansi.OFF.string(text.replace("%%", "%").replace("%n", "\n"));
  }
}
