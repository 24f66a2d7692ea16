package dev.topo.model.io;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/**
 * Makes text from files and arguments safe to show. Characters that control a terminal, change the
 * direction of text or end a line are replaced: controls and line ends by a blank, others by a
 * question mark. All other characters are kept.
 */
public final class PlainText {
  private PlainText() {}

  public static String oneLine(String text) {
    return replaced(text, false);
  }

  /** The text with its line feeds and tabs. */
  public static String lines(String text) {
    return replaced(text, true);
  }

  private static String replaced(String text, boolean keepsLines) {
    if (text.codePoints().noneMatch(PlainText::isUnsafe)) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int c = text.codePointAt(i);
      boolean isKept = !isUnsafe(c) || keepsLines && isLayout(text, i);
      shown.appendCodePoint(isKept ? c : replacement(c));
    }
    return shown.toString();
  }

  /** A line feed, the carriage return before it, or a tab. */
  private static boolean isLayout(String text, int place) {
    return switch (text.charAt(place)) {
      case '\n', '\t' -> true;
      case '\r' -> text.startsWith("\n", place + 1);
      default -> false;
    };
  }

  private static char replacement(int c) {
    return Character.isISOControl(c) || Character.isWhitespace(c) ? ' ' : '?';
  }

  /**
   * True if a character is replaced when shown: controls, also those above ASCII, separators of
   * lines and paragraphs, unpaired surrogates, and the characters that set the direction of text
   * (Unicode Standard Annex 9, section 2).
   */
  public static boolean isUnsafe(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default ->
          codePoint == 0x061c
              || codePoint >= 0x200e && codePoint <= 0x200f
              || codePoint >= 0x202a && codePoint <= 0x202e
              || codePoint >= 0x2066 && codePoint <= 0x206f;
    };
  }

  /**
   * A writer that replaces characters as {@link #lines} does. Surrogates are left to the encoder,
   * which replaces unpaired ones.
   */
  public static Writer writer(Writer out) {
    return new FilterWriter(out) {
      private boolean hasReturn;

      @Override
      public void write(int c) throws IOException {
        boolean isNewLine = c == '\n';
        if (hasReturn) {
          out.write(isNewLine ? '\r' : ' ');
        }
        hasReturn = c == '\r';
        if (!hasReturn) {
          boolean isKept = isNewLine || c == '\t' || Character.isSurrogate((char) c);
          out.write(isKept || !isUnsafe(c) ? c : replacement(c));
        }
      }

      @Override
      public void write(char[] text, int offset, int length) throws IOException {
        write(String.valueOf(text, offset, length), 0, length);
      }

      @Override
      public void write(String text, int offset, int length) throws IOException {
        int end = offset + length;
        int from = offset;
        for (int i = offset; i < end; i++) {
          if (hasReturn || !isUsual(text.charAt(i))) {
            out.write(text, from, i - from);
            write(text.charAt(i));
            from = i + 1;
          }
        }
        out.write(text, from, end - from);
      }
    };
  }

  /** True for printable ASCII and a line feed: most texts have nothing else. */
  private static boolean isUsual(char c) {
    return c >= ' ' && c <= '~' || c == '\n';
  }

  /**
   * A text of at most {@code most} characters: a longer one is cut after a word, with an ellipsis.
   */
  public static String brief(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = text.lastIndexOf(' ', most - 2);
    return text.substring(0, end > 0 ? end : most - 2) + " …";
  }
}
