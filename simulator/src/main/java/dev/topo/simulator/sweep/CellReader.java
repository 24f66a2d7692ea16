package dev.topo.simulator.sweep;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads rows of cells as {@link PartFile} writes them: CSV (RFC 4180) with line feeds. Reads each
 * character once and keeps one row: a row with other than the expected number of cells, or a very
 * long one, is refused where that shows. A cell that is equal to the one above it is the same
 * object.
 */
final class CellReader {
  private static final int BUFFER = 1 << 13;

  /** Characters of a row; those of a sweep have some hundreds, with long caveats some thousands. */
  private static final int LONGEST_ROW = 1 << 22;

  private final Reader in;
  private final List<String> cells = new ArrayList<>();
  private final String[] above;
  private final char[] buffer = new char[BUFFER];
  private int at;
  private int end;

  /** The cell that is being read. */
  private char[] cell = new char[BUFFER];

  private int length;
  private int rowLength;

  CellReader(Reader in, int columns) {
    this.in = in;
    this.above = new String[columns];
    Arrays.fill(above, "");
  }

  /**
   * The cells of the next row, in a list that the next call changes; empty behind the last row.
   *
   * @throws IOException if the row is not one
   */
  List<String> next() throws IOException {
    cells.clear();
    rowLength = 0;
    int c = read();
    if (c < 0) {
      return cells;
    }
    while (true) {
      length = 0;
      c = c == '"' ? quoted() : plain(c);
      cells.add(cell(cells.size()));
      rowLength += length + 1;
      if (c == '\n') {
        break;
      }
      if (c < 0) {
        throw new IOException("no line feed at its end");
      }
      if (cells.size() == above.length) {
        throw new IOException("more than " + above.length + " cells");
      }
      c = read();
    }
    if (cells.size() < above.length) {
      throw new IOException(cells.size() + " cells, expected " + above.length);
    }
    return cells;
  }

  private String cell(int column) {
    String known = above[column];
    if (known.length() == length) {
      int i = 0;
      while (i < length && known.charAt(i) == cell[i]) {
        i++;
      }
      if (i == length) {
        return known;
      }
    }
    above[column] = new String(cell, 0, length);
    return above[column];
  }

  /** Reads a cell without quotes; the character behind it. */
  private int plain(int first) throws IOException {
    int c = first;
    while (c != ',' && c != '\n' && c >= 0) {
      if (c == '"' || c == '\r') {
        throw new IOException("a quote or carriage return in a cell without quotes");
      }
      add((char) c);
      c = read();
    }
    return c;
  }

  /** Reads a cell behind its first quote; the character behind it. */
  private int quoted() throws IOException {
    while (true) {
      int c = read();
      if (c < 0) {
        throw new IOException("a cell without a closing quote");
      }
      if (c == '"') {
        int next = read();
        if (next == ',' || next == '\n' || next < 0) {
          return next;
        }
        if (next != '"') {
          throw new IOException("text behind the closing quote of a cell");
        }
      }
      add((char) c);
    }
  }

  private void add(char c) throws IOException {
    if (length == cell.length) {
      if (rowLength + length >= LONGEST_ROW) {
        throw new IOException("more than " + LONGEST_ROW + " characters");
      }
      cell = Arrays.copyOf(cell, 2 * length);
    }
    cell[length++] = c;
  }

  private int read() throws IOException {
    if (at == end) {
      at = 0;
      end = Math.max(0, in.read(buffer, 0, buffer.length));
      if (end == 0) {
        return -1;
      }
    }
    return buffer[at++];
  }
}
