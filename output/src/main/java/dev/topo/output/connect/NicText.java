package dev.topo.output.connect;

import dev.topo.model.QuantityFormat;
import dev.topo.model.text.TextTable;
import dev.topo.model.text.TextWriter;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.PortMatrix;
import dev.topo.search.peer.PeerPort;
import java.util.ArrayList;
import java.util.List;

/** Port and relay of transfers to other nodes as people read them: a matrix for equal nodes. */
final class NicText {
  private final Connection connection;
  private final Excerpt excerpt;
  private final TextWriter out;

  NicText(Excerpt excerpt, TextWriter out) {
    this.connection = excerpt.connection();
    this.excerpt = excerpt;
    this.out = out;
  }

  void write() {
    out.line(
        "\nNIC of a transfer to another node, by the device number of the peer's GPU; (R): relayed by rank R of the node (PXN)");
    for (PortMatrix matrix : PortMatrix.of(connection, excerpt.channels(ConnectPart.NICS))) {
      List<Integer> nodes = nodes(matrix);
      if (!nodes.isEmpty()) {
        out.line(
            "%s, %s of sends and receives",
            (nodes.size() == 1 ? "node " : "nodes ") + QuantityFormat.ranges(nodes),
            ShownChannels.title(matrix.channels()));
        out.table(table(matrix));
      }
    }
  }

  /** The nodes with a selected rank. */
  private List<Integer> nodes(PortMatrix matrix) {
    return excerpt.isOfSomeRanks()
        ? excerpt.ranks().stream()
            .map(connection::nodeOf)
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
    for (int row = 0; row < matrix.ranks().size(); row++) {
      if (!isShown(matrix, row)) {
        continue;
      }
      List<Object> cells = new ArrayList<>(List.of(row));
      for (int column = 0; column < matrix.devices().size(); column++) {
        PeerPort way = matrix.ports().get(row).get(column);
        String name = way.port().name().isEmpty() ? "NET " + way.port().dev() : way.port().name();
        cells.add(
            matrix.isRelayed(row, column)
                ? name + " (" + matrix.ranks().indexOf(way.relay()) + ")"
                : name);
      }
      table.row(cells.toArray());
    }
    return table;
  }

  private boolean isShown(PortMatrix matrix, int row) {
    return !excerpt.isOfSomeRanks()
        || excerpt.ranks().stream()
            .anyMatch(
                rank -> {
                  int node = connection.nodeOf(rank);
                  return matrix.nodes().contains(node)
                      && connection.ranksOf(node).indexOf(rank) == row;
                });
  }
}
