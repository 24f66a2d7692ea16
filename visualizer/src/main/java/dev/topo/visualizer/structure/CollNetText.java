package dev.topo.visualizer.structure;

import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.connect.CollNet;
import dev.topo.search.connect.Connection;
import dev.topo.search.explain.CollNetAbsence;
import java.util.List;
import java.util.Optional;

/** Chains and heads of in-network reduction, as people read them. */
final class CollNetText {
  private final Connection connection;
  private final CollNet collNet;
  private final Excerpt excerpt;
  private final TextWriter out;

  CollNetText(Excerpt excerpt, TextWriter out) {
    this.connection = excerpt.connection();
    this.collNet = connection.collNet().orElseThrow();
    this.excerpt = excerpt;
    this.out = out;
  }

  void write() {
    boolean hasDirect = collNet.direct(0).isPresent();
    if (excerpt.isOfSomeRanks()) {
      ranks();
    } else {
      chains();
      heads(hasDirect);
    }
    if (!hasDirect) {
      out.line("\nno CollNetDirect: %s", CollNetAbsence.noHeads(connection));
    }
  }

  private void chains() {
    out.line("\nCollNet chains, from the rank at the network to the last");
    TextTable table = TextTable.indented();
    ShownChannels.alike(
            excerpt.channels(ConnectPart.COLLNET),
            channel ->
                ShownNodes.joined(
                    connection, " | ", node -> Ranks.of(collNet.chainOf(channel, node))))
        .forEach((chain, channels) -> table.row(ShownChannels.title(channels), chain));
    out.table(table);
  }

  private void heads(boolean hasDirect) {
    out.line("\nCollNet heads: the ranks that send to the network");
    TextTable table = TextTable.indented();
    table.header("node,CollNetDirect,set up,dense ranks of its ranks");
    for (int node : ShownNodes.of(connection)) {
      if (node == ShownNodes.GAP) {
        table.row("…");
        continue;
      }
      List<Integer> ranks = connection.ranksOf(node);
      table.row(
          node,
          hasDirect ? Ranks.of(collNet.heads(node)) : "-",
          Ranks.of(collNet.setup(ranks.get(0)).heads()),
          Ranks.of(ranks.stream().map(rank -> collNet.setup(rank).denseRank()).toList()));
    }
    out.table(table);
  }

  private void ranks() {
    TextTable chains = TextTable.atMargin();
    chains.header("channel,rank,chain up,chain down,ranks of the chain");
    for (int channel : excerpt.channels(ConnectPart.COLLNET)) {
      for (int rank : excerpt.ranks()) {
        CollNet.Chain chain = collNet.chain(channel, rank);
        chains.row(channel, rank, chain.up(), chain.down(), chain.depth());
      }
    }
    TextTable heads = TextTable.atMargin();
    heads.header("rank,dense rank,head,out,shift,direct up,direct down,heads");
    for (int rank : excerpt.ranks()) {
      Optional<CollNet.Direct> direct = collNet.direct(rank);
      int dense = collNet.setup(rank).denseRank();
      if (direct.isPresent()) {
        CollNet.Direct one = direct.get();
        heads.row(
            rank,
            dense,
            one.headRank(),
            one.out(),
            one.shift(),
            Ranks.of(one.up()),
            Ranks.of(one.down()),
            Ranks.of(one.heads()));
      } else {
        heads.row(rank, dense);
      }
    }
    out.line("").table(chains).line("").table(heads);
  }
}
