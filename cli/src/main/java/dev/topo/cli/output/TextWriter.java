package dev.topo.cli.output;

import java.util.Collection;
import java.util.Locale;

/** Writes a text for people, line by line; patterns are those of {@link String#format}. */
public final class TextWriter {
  private final StringBuilder out = new StringBuilder();

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

  /** Adds a table. */
  public TextWriter table(TextTable table) {
    out.append(table);
    return this;
  }

  /** Whether nothing was added. */
  public boolean isEmpty() {
    return out.isEmpty();
  }

  /** A text with values in it, the same in every locale. */
  public static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  /** The text as an answer. */
  public Answer answer() {
    return Answer.of(toString());
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
