package dev.topo.visualizer.structure;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Nvls;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes the NVLS heads and the trees that join them across nodes as text. */
record NvlsText(Excerpt excerpt, TextWriter out) {
  void write() {
    if (excerpt.isOfSomeRanks()) {
      ranks();
      return;
    }
    out.line("\nNVLS heads, by rank");
    TextTable heads = TextTable.indented();
    for (int node : ShownNodes.of(connection())) {
      heads.row(
          node == ShownNodes.GAP ? "…" : "node " + node,
          node == ShownNodes.GAP ? "" : RankLists.of(connection().nvls().heads(node)));
    }
    out.table(heads);
    if (connection().nNodes() == 1) {
      return;
    }
    out.line(
        "\nNVLS trees, child > parent between nodes; each head with the same head of the other");
    TextTable trees = TextTable.indented();
    Alike.by(excerpt.channels(ConnectPart.NVLS), this::tree)
        .forEach((tree, channels) -> trees.row(QuantityFormat.steps("channel", channels), tree));
    out.table(trees);
  }

  /** The NVLS tree of a channel, as edges between nodes. */
  private String tree(int channel) {
    return ShownNodes.joined(
        connection(),
        " ",
        node -> {
          int up =
              connection().nvls().links(channel, connection().nvls().heads(node).get(0)).treeUp();
          return up == Connection.NONE ? "root " + node : node + ">" + connection().nodeOf(up);
        });
  }

  private void ranks() {
    List<Integer> all = excerpt.channels(ConnectPart.NVLS);
    TextTable table = TextTable.atMargin().header("rank,NVLS channels,head,tree up,tree down");
    for (int rank : excerpt.ranks()) {
      int count = connection().nvls().channels(rank);
      List<Integer> channels = all.stream().filter(c -> c < count).toList();
      Alike.by(channels, channel -> connection().nvls().links(channel, rank))
          .forEach(
              (links, alike) ->
                  table.row(
                      rank,
                      QuantityFormat.ranges(alike),
                      links.headRank(),
                      links.treeUp(),
                      children(links)));
    }
    out.line("").table(table);
  }

  /** The children on other nodes. The first entry of the list is the head of the own node. */
  private static String children(Nvls.Links links) {
    List<String> ranks = new ArrayList<>();
    links.treeDown().stream().skip(1).forEach(child -> ranks.add(String.valueOf(child)));
    return IntStream.range(0, Math.max(2, ranks.size()))
        .mapToObj(i -> i < ranks.size() ? ranks.get(i) : "-1")
        .collect(Collectors.joining(" "));
  }

  private Connection connection() {
    return excerpt.connection();
  }
}
