package dev.topo.cli.help;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Breaks text into lines between words, never inside a word such as a file name. */
final class LineWrap {
  /** The words that begin an example; the command follows. */
  static final String EXAMPLE = "Example: ";

  /** A word of a shell command; quotes keep blanks inside it. */
  private static final Pattern SHELL_WORD = Pattern.compile("('[^']*'|\"[^\"]*\"|[^\\s'\"])+");

  /** Text that does not end a sentence. */
  private static final Pattern UNFINISHED = Pattern.compile("(?!Example: )\\S.*[^.?!]");

  private static final String CONTINUATION = " \\";

  private LineWrap() {}

  /** True if a paragraph is an example. */
  static boolean isExample(String paragraph) {
    return paragraph.startsWith(EXAMPLE);
  }

  /**
   * Joins strings to paragraphs: a string continues the previous one if that does not end a
   * sentence.
   */
  static List<String> joined(String... strings) {
    List<String> paragraphs = new ArrayList<>();
    for (String string : strings) {
      int last = paragraphs.size() - 1;
      boolean isText = !string.isEmpty() && !string.startsWith(" ") && !isExample(string);
      if (isText && last >= 0 && UNFINISHED.matcher(paragraphs.get(last)).matches()) {
        paragraphs.set(last, paragraphs.get(last) + " " + string);
      } else {
        paragraphs.add(string);
      }
    }
    return paragraphs;
  }

  /** The lines of a paragraph: an example, an indented list entry that is not broken, or text. */
  static List<String> paragraph(String paragraph, int width) {
    if (isExample(paragraph)) {
      return command(paragraph, width);
    }
    return paragraph.startsWith(" ") ? List.of(paragraph) : text(paragraph, width);
  }

  /** The lines of a text. A word longer than a line gets a line of its own. */
  static List<String> text(String paragraph, int width) {
    return lines(List.of(paragraph.split(" ", -1)), width, "", "");
  }

  /**
   * The lines of a command. All but the last end with a backslash, so that the command can be
   * pasted.
   */
  static List<String> command(String command, int width) {
    return command.length() <= width
        ? List.of(command)
        : lines(words(command), width - CONTINUATION.length(), CONTINUATION, "    ");
  }

  /**
   * The words of a command. An option forms one word with the word after it, which may be its
   * value.
   */
  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    for (String word : SHELL_WORD.matcher(command).results().map(MatchResult::group).toList()) {
      int last = words.size() - 1;
      if (!word.startsWith("-") && last >= 0 && words.get(last).matches("-\\S+")) {
        words.set(last, words.get(last) + " " + word);
      } else {
        words.add(word);
      }
    }
    return words;
  }

  private static List<String> lines(List<String> words, int width, String end, String indent) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(words.get(0));
    for (String word : words.subList(1, words.size())) {
      if (line.length() + 1 + word.length() > width) {
        lines.add(line + end);
        line = new StringBuilder(indent).append(word);
      } else {
        line.append(' ').append(word);
      }
    }
    lines.add(line.toString());
    return lines;
  }
}
