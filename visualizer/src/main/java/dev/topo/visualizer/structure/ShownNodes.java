package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.search.connect.Connection;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The nodes of a job that a text shows: all, or the first few and the last with a gap between. */
final class ShownNodes {
  /** Marks the position of the omitted nodes. */
  static final int GAP = -1;

  /** Up to this many nodes are all shown. */
  private static final int MAX_NODES = 8;

  /** Number of leading nodes shown in a longer job. */
  private static final int FIRST_NODES = 3;

  private ShownNodes() {}

  static List<Integer> of(Connection connection) {
    int nNodes = connection.nNodes();
    IntStream shown =
        nNodes <= MAX_NODES
            ? IntStream.range(0, nNodes)
            : IntStream.concat(IntStream.range(0, FIRST_NODES), IntStream.of(GAP, nNodes - 1));
    return shown.boxed().toList();
  }

  /** Joins the texts of the shown nodes, with an ellipsis for the gap. */
  static String joined(Connection connection, String between, IntFunction<String> text) {
    return QuantityFormat.joined(
        between, of(connection), node -> node == GAP ? "…" : text.apply(node));
  }
}
