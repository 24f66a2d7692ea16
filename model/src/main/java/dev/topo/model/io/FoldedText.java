package dev.topo.model.io;

import java.util.ArrayList;
import java.util.List;

/**
 * Rewraps the text of a {@link TextWriter} for a terminal of another width. Tables, whose columns
 * are two blanks apart, are left unchanged.
 */
public final class FoldedText {
  private static final String HANGING_INDENT = "  ";

  private FoldedText() {}

  /**
   * The text in lines of at most {@code width} characters, where it can be broken.
   *
   * @param width at least 1
   */
  public static String of(String text, int width) {
    TextWriter out = new TextWriter();
    List<String> lines = text.lines().toList();
    for (int l = 0; l < lines.size(); ) {
      int end = l + 1;
      while (end < lines.size() && continues(lines.get(l), lines.get(end - 1), lines.get(end))) {
        end++;
      }
      paragraph(out, lines.subList(l, end), width);
      l = end;
    }
    return text.endsWith("\n") || text.isEmpty() ? out.toString() : out.toString().stripTrailing();
  }

  /**
   * True if {@code next} continues {@code line}: its first word did not fit, and it is indented.
   */
  private static boolean continues(String first, String line, String next) {
    String words = next.strip();
    int blank = words.indexOf(' ');
    int word = blank < 0 ? words.length() : blank;
    return word > 0
        && indent(next).length() > indent(first).length()
        && line.length() + 1 + word > TextWriter.WIDTH
        && !isTable(next);
  }

  private static void paragraph(TextWriter out, List<String> lines, int width) {
    String first = lines.get(0);
    if (lines.size() == 1 && isTable(first)) {
      out.text(first + "\n");
      return;
    }
    String hangingIndent = indent(first) + HANGING_INDENT;
    List<String> words = new ArrayList<>(List.of(first));
    if (lines.size() > 1) {
      hangingIndent = indent(lines.get(1));
      lines.stream().skip(1).map(String::strip).forEach(words::add);
    }
    out.paragraph(String.join(" ", words), hangingIndent, width);
  }

  private static boolean isTable(String line) {
    return line.strip().contains("  ");
  }

  private static String indent(String line) {
    return line.substring(0, line.length() - line.stripLeading().length());
  }
}
