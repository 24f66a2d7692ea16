package dev.topo.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One line at the end of a terminal, rewritten in place. Streams to the same terminal pass through
 * it ({@link #guard}): it is erased before their bytes are written, and stays hidden while a line
 * of theirs is unfinished. No colours, no escape sequences: carriage return and blanks.
 */
final class StatusLine {
  /** Shorter than the lines of usual terminals, since a wrapped line cannot be erased. */
  private static final int MAX_LENGTH = 79;

  private final OutputStream terminal;
  private String shown = "";
  private boolean atLineStart = true;
  private boolean closed;

  /**
   * An empty line.
   *
   * @param terminal not buffered
   */
  public StatusLine(OutputStream terminal) {
    this.terminal = terminal;
  }

  /** Shows a text that ends with what must not be cut off. */
  synchronized void show(String text, String end) {
    if (closed || !atLineStart) {
      return;
    }
    String line = printable(text);
    int room = MAX_LENGTH - end.length();
    line = (line.length() <= room ? line : line.substring(0, room - 3) + "...") + end;
    if (!line.equals(shown)) {
      write("\r" + line + " ".repeat(Math.max(0, shown.length() - line.length())));
      shown = line;
    }
  }

  /** Erases the line. */
  public synchronized void erase() {
    if (!shown.isEmpty()) {
      write("\r" + " ".repeat(shown.length()) + "\r");
      shown = "";
    }
  }

  /** Erases the line and shows no further one. */
  public synchronized void close() {
    erase();
    closed = true;
  }

  /** A stream to the same terminal. */
  public OutputStream guard(OutputStream stream) {
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
   * A stream that another program reads. When it begins to, it may show what it reads on this
   * terminal, so that the line has no place here any more.
   */
  public OutputStream closedBy(OutputStream stream) {
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

  /** Names of files may hold anything; only what is one column wide each can be wiped. */
  private static String printable(String text) {
    return text.replaceAll("[^ -~]", "?");
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
