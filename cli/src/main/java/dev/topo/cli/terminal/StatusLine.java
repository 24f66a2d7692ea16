package dev.topo.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One line at the end of a terminal that is rewritten in place. Streams to the same terminal pass
 * through {@link #guard}: the line is erased before their bytes are written and stays hidden while
 * their last line is unfinished. Uses only carriage returns and blanks, no colours and no escape
 * sequences.
 */
final class StatusLine {
  /**
   * Maximum length. It is less than the width of common terminals, because a wrapped line cannot be
   * erased.
   */
  private static final int MAX_LENGTH = 79;

  private final OutputStream terminal;
  private String shown = "";
  private boolean atLineStart = true;
  private boolean closed;

  /**
   * Creates an empty line.
   *
   * @param terminal unbuffered stream to the terminal
   */
  StatusLine(OutputStream terminal) {
    this.terminal = terminal;
  }

  /** Shows a text. If it is too long, it is shortened before {@code end}. */
  synchronized void show(String text, String end) {
    if (closed || !atLineStart) {
      return;
    }
    String line = text.replaceAll("[^ -~]", "?");
    int maxTextLength = MAX_LENGTH - end.length();
    line =
        (line.length() <= maxTextLength ? line : line.substring(0, maxTextLength - 3) + "...")
            + end;
    if (!line.equals(shown)) {
      write("\r" + line + " ".repeat(Math.max(0, shown.length() - line.length())));
      shown = line;
    }
  }

  /** Erases the line. */
  synchronized void erase() {
    if (!shown.isEmpty()) {
      write("\r" + " ".repeat(shown.length()) + "\r");
      shown = "";
    }
  }

  /** Erases the line and shows nothing any more. */
  synchronized void close() {
    erase();
    closed = true;
  }

  /** Wraps a stream to the same terminal, so that the line is erased before its output. */
  OutputStream guard(OutputStream stream) {
    return new FilterOutputStream(stream) {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        synchronized (StatusLine.this) {
          erase();
          out.write(bytes, offset, length);
          if (length > 0) {
            atLineStart = bytes[offset + length - 1] == '\n';
          }
        }
      }
    };
  }

  /**
   * Wraps a stream that another program reads. The first output closes the line, because that
   * program may write what it reads to this terminal.
   */
  OutputStream closedBy(OutputStream stream) {
    return new FilterOutputStream(stream) {
      @Override
      public void write(int b) throws IOException {
        StatusLine.this.close();
        out.write(b);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        StatusLine.this.close();
        out.write(bytes, offset, length);
      }
    };
  }

  private void write(String text) {
    try {
      terminal.write(text.getBytes(StandardCharsets.US_ASCII));
      terminal.flush();
    } catch (IOException e) {
      closed = true;
    }
  }
}
