package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.PortMatrix;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the port and relay of transfers to other nodes as text, with one matrix for equal nodes.
 */
record NicText(Excerpt excerpt, TextWriter out) {
  void write() {
    out.line(
        "\nNIC of a transfer to another node, by the number of the peer's GPU on its host; in parentheses the GPU that relays it (PXN)");
    for (PortMatrix matrix : PortMatrix.of(connection(), excerpt.channels(ConnectPart.NICS))) {
      List<Integer> nodes = nodes(matrix);
      if (!nodes.isEmpty()) {
        out.line(
            "%s, %s of sends and receives",
            QuantityFormat.ranges("node", nodes),
            QuantityFormat.steps("channel", matrix.channels()));
        out.table(table(matrix));
      }
    }
  }

  /** The nodes of the matrix that have a selected rank. */
  private List<Integer> nodes(PortMatrix matrix) {
    return excerpt.isOfSomeRanks()
        ? excerpt.ranks().stream()
            .map(connection()::nodeOf)
            .distinct()
            .filter(matrix.nodes()::contains)
            .toList()
        : matrix.nodes();
  }

  private TextTable table(PortMatrix matrix) {
    TextTable table = TextTable.indented();
    List<Object> head = new ArrayList<>(List.of("rank of the node"));
    matrix.devices().forEach(device -> head.add("to GPU " + device));
    table.row(head.toArray());
    matrix
        .distinctRows()
        .forEach(
            (cells, rows) -> {
              List<Integer> shown = rows.stream().filter(row -> isShown(matrix, row)).toList();
              if (!shown.isEmpty()) {
                List<Object> line = new ArrayList<>(List.of(QuantityFormat.steps(shown)));
                cells.forEach(
                    cell ->
                        line.add(
                            cell.relay().isEmpty()
                                ? cell.port()
                                : cell.port() + " (" + cell.relay() + ")"));
                table.row(line.toArray());
              }
            });
    return table;
  }

  private boolean isShown(PortMatrix matrix, int row) {
    return !excerpt.isOfSomeRanks()
        || excerpt.ranks().stream()
            .anyMatch(
                rank -> {
                  int node = connection().nodeOf(rank);
                  return matrix.nodes().contains(node)
                      && connection().ranksOf(node).indexOf(rank) == row;
                });
  }

  private Connection connection() {
    return excerpt.connection();
  }
}
