package dev.topo.cli.help;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Breaks text into lines between words, never inside one: a name of a file stays whole. */
final class LineWrap {
  /** Begin of an example, before its command. */
  static final String EXAMPLE = "Example: ";

  /** A word of a shell: quotes keep blanks together. */
  private static final Pattern SHELL_WORD = Pattern.compile("('[^']*'|\"[^\"]*\"|[^\\s'\"])+");

  /** Text without the end of a sentence. */
  private static final Pattern GOES_ON = Pattern.compile("(?!Example: )\\S.*[^.?!]");

  private static final String CONTINUED = " \\";

  private LineWrap() {}

  /** True if a paragraph is an example, a command after a word that says so. */
  static boolean isExample(String paragraph) {
    return paragraph.startsWith(EXAMPLE);
  }

  /** Paragraphs: a sentence that goes on in the next of these strings is put together. */
  static List<String> joined(String... strings) {
    List<String> paragraphs = new ArrayList<>();
    for (String string : strings) {
      int last = paragraphs.size() - 1;
      boolean isText = !string.isEmpty() && !string.startsWith(" ") && !isExample(string);
      if (isText && last >= 0 && GOES_ON.matcher(paragraphs.get(last)).matches()) {
        paragraphs.set(last, paragraphs.get(last) + " " + string);
      } else {
        paragraphs.add(string);
      }
    }
    return paragraphs;
  }

  /** A paragraph, which may be an example, an entry of a list that is not broken, or text. */
  static List<String> paragraph(String paragraph, int width) {
    if (isExample(paragraph)) {
      return command(paragraph, width);
    }
    return paragraph.startsWith(" ") ? List.of(paragraph) : text(paragraph, width);
  }

  /** The lines of a text; a word longer than a line has one of its own. */
  static List<String> text(String paragraph, int width) {
    return lines(List.of(paragraph.split(" ", -1)), width, "", "");
  }

  /** The lines of a command: each but the last ends in a backslash, so that it can be pasted. */
  static List<String> command(String command, int width) {
    return command.length() <= width
        ? List.of(command)
        : lines(parts(command), width - CONTINUED.length(), CONTINUED, "    ");
  }

  /** The words of a command; an option is one with the word after it, which may be its value. */
  private static List<String> parts(String command) {
    List<String> parts = new ArrayList<>();
    for (String word : SHELL_WORD.matcher(command).results().map(MatchResult::group).toList()) {
      int last = parts.size() - 1;
      if (!word.startsWith("-") && last >= 0 && parts.get(last).matches("-\\S+")) {
        parts.set(last, parts.get(last) + " " + word);
      } else {
        parts.add(word);
      }
    }
    return parts;
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
