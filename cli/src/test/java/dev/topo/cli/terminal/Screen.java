package dev.topo.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** What a person sees of what is written to a terminal: lines, and a cursor in the last of them. */
final class Screen extends OutputStream {
  private final StringBuilder above = new StringBuilder();
  private final StringBuilder line = new StringBuilder();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int column;

  @Override
  public void write(int b) {
    bytes.write(b);
    switch (b) {
      case '\r' -> column = 0;
      case '\n' -> {
        above.append(lastLine()).append('\n');
        line.setLength(0);
        column = 0;
      }
      default -> {
        if (column < line.length()) {
          line.setCharAt(column, (char) b);
        } else {
          line.append((char) b);
        }
        column++;
      }
    }
  }

  /** The line with the cursor, without blanks at its end. */
  String lastLine() {
    return line.toString().stripTrailing();
  }

  /** All that stands there. */
  String text() {
    return above + lastLine();
  }

  /** Where the next letter goes. */
  int column() {
    return column;
  }

  /** What was written. */
  String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
