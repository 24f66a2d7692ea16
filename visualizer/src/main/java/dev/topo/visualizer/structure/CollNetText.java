package dev.topo.visualizer.structure;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.connect.CollNet;
import dev.topo.search.connect.Connection;
import dev.topo.search.explain.CollNetAbsence;
import java.util.ArrayList;
import java.util.List;

/** Writes the chains and heads of in-network reduction (CollNet) as text. */
record CollNetText(Excerpt excerpt, TextWriter out) {
  void write() {
    boolean hasDirect = collNet().direct(0).isPresent();
    if (excerpt.isOfSomeRanks()) {
      ranks();
    } else {
      chains();
      heads(hasDirect);
    }
    if (!hasDirect) {
      out.line("\nno CollNetDirect: %s", CollNetAbsence.noHeads(connection()));
    }
  }

  private void chains() {
    out.line("\nCollNet chains, from the rank at the network to the last");
    TextTable table = TextTable.indented();
    Alike.by(
            excerpt.channels(ConnectPart.COLLNET),
            channel ->
                ShownNodes.joined(
                    connection(), " | ", node -> RankLists.of(collNet().chainOf(channel, node))))
        .forEach((chain, channels) -> table.row(QuantityFormat.ranges("channel", channels), chain));
    out.table(table);
  }

  private void heads(boolean hasDirect) {
    out.line("\nCollNet heads: the ranks that send to the network");
    TextTable table =
        TextTable.indented().header("node,CollNetDirect,set up,dense ranks of its ranks");
    for (int node : ShownNodes.of(connection())) {
      if (node == ShownNodes.GAP) {
        table.row("…");
        continue;
      }
      List<Integer> ranks = connection().ranksOf(node);
      table.row(
          node,
          hasDirect ? RankLists.of(collNet().heads(node)) : "-",
          RankLists.of(collNet().setup(ranks.get(0)).heads()),
          RankLists.of(ranks.stream().map(rank -> collNet().setup(rank).denseRank()).toList()));
    }
    out.table(table);
  }

  private void ranks() {
    TextTable chains =
        TextTable.atMargin().header("channel,rank,chain up,chain down,ranks of the chain");
    for (int channel : excerpt.channels(ConnectPart.COLLNET)) {
      for (int rank : excerpt.ranks()) {
        CollNet.Chain chain = collNet().chain(channel, rank);
        chains.row(channel, rank, chain.up(), chain.down(), chain.depth());
      }
    }
    TextTable heads =
        TextTable.atMargin().header("rank,dense rank,head,out,shift,direct up,direct down,heads");
    for (int rank : excerpt.ranks()) {
      List<Object> row = new ArrayList<>(List.of(rank, collNet().setup(rank).denseRank()));
      collNet()
          .direct(rank)
          .ifPresent(
              direct ->
                  row.addAll(
                      List.of(
                          direct.headRank(),
                          direct.out(),
                          direct.shift(),
                          RankLists.of(direct.up()),
                          RankLists.of(direct.down()),
                          RankLists.of(direct.heads()))));
      heads.row(row.toArray());
    }
    out.line("").table(chains).line("").table(heads);
  }

  private Connection connection() {
    return excerpt.connection();
  }

  private CollNet collNet() {
    return connection().collNet().orElseThrow();
  }
}
