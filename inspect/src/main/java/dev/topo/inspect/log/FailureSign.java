package dev.topo.inspect.log;

import dev.topo.model.io.ResourceTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Evidence in a text that a run failed.
 *
 * @param place file and line, or the file
 * @param text the line, or what is missing
 * @param meaning what it means; empty if that is not known
 * @param check what to check; empty if that is not known
 */
public record FailureSign(Kind kind, String place, String text, String meaning, String check) {
  /** What the evidence shows, the worst first. */
  public enum Kind {
    /** Results were wrong. */
    WRONG_RESULTS,
    /** The run ended early. */
    STOPPED,
    /** NCCL warned; the run may have gone on. */
    WARNED,
    /** A warning without effect on the results and the times, or one that is a cause of its own. */
    HARMLESS
  }

  /** A message of NCCL, CUDA, a launcher or the kernel. */
  private record Sign(Kind kind, Pattern pattern, String meaning, String check) {
    static Sign parse(String row) {
      String[] cells = (row + " |  |  ").split(" +\\| ", -1);
      return new Sign(
          Kind.valueOf(cells[0]), Pattern.compile(cells[1]), cells[2].strip(), cells[3].strip());
    }
  }

  /** Longest text, in characters; longer ones are cut. */
  private static final int MOST_CHARACTERS = 160;

  /** Longest line that is searched; longer ones are no messages but data, such as JSON. */
  private static final int LONGEST = 2000;

  private static final List<String> TABLE = ResourceTable.lines(FailureSign.class, "failures.txt");

  /** Texts of which each such line has one: looking for them is fast. */
  private static final List<String> WORDS = List.of(TABLE.get(0).split(" "));

  private static final List<Sign> SIGNS =
      TABLE.subList(1, TABLE.size()).stream().map(Sign::parse).toList();

  /** A result of this kind without a known meaning. */
  public static FailureSign of(Kind kind, String place, String text) {
    return new FailureSign(kind, place, text, "", "");
  }

  /** Finds the failures in the lines of a text; lines that differ in numbers only count once. */
  public static List<FailureSign> find(String text, String file) {
    Map<String, FailureSign> failures = new LinkedHashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.length() <= LONGEST && WORDS.stream().anyMatch(line::contains)) {
        of(line, file + ":" + number)
            .ifPresent(
                failure -> failures.putIfAbsent(failure.text.replaceAll("\\d+", ""), failure));
      }
    }
    return failures.values().stream().filter(found -> found.kind != Kind.HARMLESS).toList();
  }

  private static Optional<FailureSign> of(String line, String place) {
    for (Sign sign : SIGNS) {
      Matcher matcher = sign.pattern.matcher(line);
      if (matcher.find()) {
        String text = line.substring(matcher.start()).strip();
        return Optional.of(
            new FailureSign(
                sign.kind,
                place,
                text.length() <= MOST_CHARACTERS
                    ? text
                    : text.substring(0, MOST_CHARACTERS) + "...",
                sign.meaning,
                sign.check));
      }
    }
    return Optional.empty();
  }
}
