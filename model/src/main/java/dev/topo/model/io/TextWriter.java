package dev.topo.model.io;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/**
 * Writes human-readable text line by line; patterns are as for {@link String#format}. Values are
 * written in one line, as {@link PlainText}.
 */
public final class TextWriter {
  /** Maximum length of a line in characters, where it can be broken. */
  public static final int WIDTH = 120;

  private final StringBuilder out = new StringBuilder();

  /**
   * A value with a style of the terminal.
   *
   * @param code SGR parameters of ECMA-48, {@code 1;31}
   */
  public record Styled(String code, String text) {
    private String shown() {
      return "\u001b[" + code + "m" + PlainText.oneLine(text) + "\u001b[0m";
    }
  }

  /** Adds a part of a line. */
  public TextWriter add(String pattern, Object... values) {
    out.append(format(pattern, values));
    return this;
  }

  /** Adds the rest of a line and ends it. */
  public TextWriter line(String pattern, Object... values) {
    return add(pattern, values).add("\n");
  }

  /** Adds a line for each text. */
  public TextWriter lines(String indent, Collection<?> texts) {
    texts.forEach(text -> line("%s%s", indent, text));
    return this;
  }

  /**
   * Adds a text, broken into lines at blanks; a word longer than a line gets its own line.
   *
   * @param indent prefix of continuation lines
   */
  public TextWriter paragraph(String text, String indent) {
    return paragraph(text, indent, WIDTH);
  }

  /** Writes a paragraph in lines of another width, in characters. */
  TextWriter paragraph(String text, String indent, int width) {
    String rest = text;
    while (rest.length() > width) {
      int blank = rest.lastIndexOf(' ', width);
      if (blank <= rest.length() - rest.stripLeading().length()) {
        blank = rest.indexOf(' ', width);
      }
      if (blank < 0) {
        break;
      }
      line("%s", rest.substring(0, blank));
      rest = indent + rest.substring(blank + 1);
    }
    return line("%s", rest);
  }

  /** Adds lines that end in a line feed each. */
  public TextWriter text(String lines) {
    out.append(PlainText.lines(lines));
    return this;
  }

  public TextWriter table(TextTable table) {
    out.append(table);
    return this;
  }

  public boolean isEmpty() {
    return out.isEmpty();
  }

  /** A text with values in it, the same in every locale. */
  public static String format(String pattern, Object... values) {
    return String.format(
        Locale.ROOT, pattern, Arrays.stream(values).map(TextWriter::value).toArray());
  }

  private static Object value(Object value) {
    if (value instanceof Number) {
      return value;
    }
    return value instanceof Styled styled
        ? styled.shown()
        : PlainText.oneLine(String.valueOf(value));
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
