package dev.topo.model.io;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The origin of an answer: the program, its command line and the files that it read.
 *
 * @param program the program and its version, as in {@code topo 0.2.0}; empty without a command
 * @param commandLine the command line as a shell reads it; empty without a command
 * @param inputs the files that were read until then, sorted by name: an answer is written while
 *     files may still be open
 */
public record Invocation(String program, String commandLine, Supplier<List<Inputs.Input>> inputs) {
  /** That of an answer which no command makes. */
  public static final Invocation NONE = new Invocation("", "", List::of);

  /** Text that a shell takes without quotes. */
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  /**
   * That of a command.
   *
   * @param command its name
   * @param version its version
   * @param inputs takes what it reads
   */
  public static Invocation of(String command, String version, Inputs inputs, String... arguments) {
    String words =
        Stream.concat(Stream.of(command), Arrays.stream(arguments))
            .map(Invocation::quoted)
            .collect(Collectors.joining(" "));
    return new Invocation(command + " " + version, words, inputs::list);
  }

  public boolean isCommand() {
    return !commandLine.isEmpty();
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
