package dev.topo.simulator.evaluate;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads traffic as a matrix: one line per sending rank with the bytes for each receiving rank,
 * separated by commas; {@code #} begins a comment.
 */
public final class PeerTrafficReader {
  private PeerTrafficReader() {}

  /**
   * The traffic in a text.
   *
   * @param file name of the file for messages
   * @param nRanks ranks of the job
   * @throws TopologyFormatException if it is not such a matrix
   */
  public static PeerTraffic read(String text, String file, int nRanks) {
    List<long[]> rows = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (rows.size() == nRanks) {
        throw wrong(file, number, 1, "a row more than the " + nRanks + " ranks of the job");
      }
      rows.add(row(line, file, number, nRanks));
    }
    if (rows.size() < nRanks) {
      throw new TopologyFormatException(
          SourceLocation.of(file),
          rows.size() + " rows: expected one for each of the " + nRanks + " ranks of the job");
    }
    return PeerTraffic.ofMatrix(rows.toArray(long[][]::new));
  }

  private static long[] row(String line, String file, int number, int nRanks) {
    String[] cells = line.split(",", -1);
    if (cells.length != nRanks) {
      throw wrong(
          file,
          number,
          1,
          cells.length + " columns: expected one for each of the " + nRanks + " ranks of the job");
    }
    long[] row = new long[nRanks];
    int column = 1;
    for (int to = 0; to < nRanks; to++) {
      row[to] = bytes(cells[to].strip(), file, number, column);
      column += cells[to].length() + 1;
    }
    return row;
  }

  private static long bytes(String cell, String file, int number, int column) {
    try {
      long bytes = Long.parseLong(cell);
      if (bytes >= 0 && bytes <= PeerTraffic.MOST_BYTES) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw wrong(
        file,
        number,
        column,
        "\"" + cell + "\": expected bytes, a whole number of 0 to " + PeerTraffic.MOST_BYTES);
  }

  private static TopologyFormatException wrong(String file, int line, int column, String what) {
    return new TopologyFormatException(new SourceLocation(file, line, column), what);
  }
}
