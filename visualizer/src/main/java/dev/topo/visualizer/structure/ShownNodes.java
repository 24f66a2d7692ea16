package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.search.connect.Connection;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The nodes of a job that a text shows: all, or the first and the last with a gap between. */
final class ShownNodes {
  /** In place of the nodes that are not shown. */
  static final int GAP = -1;

  /** Nodes of which the order is shown whole. */
  private static final int WHOLE_NODES = 8;

  /** Nodes of a longer job that are shown at its beginning. */
  private static final int FIRST_NODES = 3;

  private ShownNodes() {}

  static List<Integer> of(Connection connection) {
    int nNodes = connection.nNodes();
    IntStream shown =
        nNodes <= WHOLE_NODES
            ? IntStream.range(0, nNodes)
            : IntStream.concat(IntStream.range(0, FIRST_NODES), IntStream.of(GAP, nNodes - 1));
    return shown.boxed().toList();
  }

  /** The texts of all kinds, joined. */
  static String joined(Connection connection, String between, IntFunction<String> text) {
    return QuantityFormat.joined(
        between, of(connection), node -> node == GAP ? "…" : text.apply(node));
  }
}
