package dev.topo.fuzz;

import dev.topo.fuzz.Format.Reading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A damaged input and the command line that reads it.
 *
 * @param format of the input
 * @param seed with which the case was drawn
 * @param number of the case
 * @param input damaged
 * @param command its words, with {@link Format#FILE} or {@link Format#TEXT}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Case(Format format, long seed, int number, byte[] input, List<String> command) {
  private static final int LONGEST_SHOWN = 1_000;

  /** A case that depends on format, seed and number only. */
  static Case draw(Format format, long seed, int number) {
    Random random = new Random((seed * 1_000_003 + number) * 31 + format.name().hashCode());
    Reading reading = any(format.readings(), random);
    byte[] correct = any(reading.seeds(), random);
    List<String> command = any(reading.commands(), random);
    return new Case(format, seed, number, format.mutator().mutate(correct, random), command);
  }

  private static <T> T any(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  /** The same command with another input. */
  Case with(byte[] other) {
    return new Case(format, seed, number, other, command);
  }

  /**
   * Runs the command on the input.
   *
   * @param folder empty but for the input
   * @throws AssertionError if the command changed the input or left another file
   */
  Call run(Path folder) {
    Path file = folder.resolve(format.fileName());
    // No argument of a process contains NUL.
    String text = new String(input, StandardCharsets.UTF_8).replace("\0", "");
    List<String> words =
        command.stream()
            .map(word -> word.replace(Format.FILE, file.toString()).replace(Format.TEXT, text))
            .toList();
    String thread = Thread.currentThread().getName();
    try {
      Thread.currentThread().setName(toString());
      Files.write(file, input);
      Call call = Call.of(words);
      if (!Arrays.equals(input, Files.readAllBytes(file))) {
        throw new AssertionError(this + ": the input was changed");
      }
      try (Stream<Path> left = Files.list(folder)) {
        List<Path> others = left.filter(path -> !path.equals(file)).toList();
        if (!others.isEmpty()) {
          throw new AssertionError(this + ": left " + others);
        }
      }
      return call;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Thread.currentThread().setName(thread);
    }
  }

  /** The input as text of one line: what is not printable is escaped. */
  String shownInput() {
    return shown(new String(input, StandardCharsets.UTF_8)) + " (" + input.length + " bytes)";
  }

  /** Text in one line: what is not printable is escaped. */
  static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    for (char c : text.substring(0, Math.min(LONGEST_SHOWN, text.length())).toCharArray()) {
      if (c == '\n') {
        shown.append("\\n");
      } else if (c < ' ' || c > '~') {
        shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    return shown + (text.length() > LONGEST_SHOWN ? "..." : "");
  }

  /** Format, command, and the properties that repeat the case. */
  @Override
  public String toString() {
    return format
        + ": -Dtest.seed="
        + seed
        + " -Dtest.case="
        + number
        + ": topo "
        + String.join(" ", command);
  }
}
