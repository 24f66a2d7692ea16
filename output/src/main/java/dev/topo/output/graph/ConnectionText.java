package dev.topo.output.graph;

import dev.topo.model.QuantityFormat;
import dev.topo.model.node.NodeId;
import dev.topo.model.text.TextTable;
import dev.topo.model.text.TextWriter;
import dev.topo.output.Answer;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A connection as people read it: facts, rings and trees, equal channels folded, long jobs cut in
 * the middle.
 */
public final class ConnectionText {
  /** Nodes of which the order is shown whole. */
  private static final int WHOLE_NODES = 8;

  /** Nodes of a longer job that are shown at its beginning. */
  private static final int FIRST_NODES = 3;

  private static final int GAP = -1;

  private final Connection connection;
  private final Excerpt excerpt;
  private final TextWriter out = new TextWriter();

  private ConnectionText(Connection connection, Excerpt excerpt) {
    this.connection = connection;
    this.excerpt = excerpt;
  }

  /** The facts of a communicator, its rings and its trees. */
  public static Answer of(String title, Connection connection, Excerpt excerpt) {
    ConnectionText text = new ConnectionText(connection, excerpt);
    text.facts(title);
    if (excerpt.ranks().size() < connection.nRanks()) {
      text.ranks();
    } else {
      text.folded("rings, from node to node", text::ring);
      text.folded("trees, child > parent between nodes, parent to child inside", text::tree);
    }
    return Answer.of(text.out.toString());
  }

  private void facts(String title) {
    out.add(
        "%s: %s on %s, %d channels for rings and trees, ",
        title,
        QuantityFormat.count(connection.nRanks(), "rank"),
        QuantityFormat.count(connection.nNodes(), "node"),
        connection.nChannels());
    out.add(
        connection.nvls().isSupported() ? "NVLS with %d channels and %d heads, " : "no NVLS, ",
        connection.nvls().channels(0),
        connection.nvls().nHeads());
    out.line(
        "%s, %d channels for send and receive (%d per peer)",
        connection.collNet().isPresent() ? "CollNet" : "no CollNet",
        connection.p2pChannels(0).nChannels(),
        connection.p2pChannels(0).nChannelsPerPeer());
  }

  private void folded(String title, IntFunction<String> look) {
    Map<String, List<Integer>> channels = new LinkedHashMap<>();
    for (int channel : excerpt.channels()) {
      channels.computeIfAbsent(look.apply(channel), key -> new ArrayList<>()).add(channel);
    }
    TextTable table = TextTable.indented();
    channels.forEach(
        (text, group) ->
            table.row(
                (group.size() == 1 ? "channel " : "channels ") + QuantityFormat.ranges(group),
                text));
    out.line("\n%s", title).table(table);
  }

  /** The nodes that are shown, with a gap where some are not. */
  private List<Integer> shownNodes() {
    int nNodes = connection.nNodes();
    IntStream shown =
        nNodes <= WHOLE_NODES
            ? IntStream.range(0, nNodes)
            : IntStream.concat(IntStream.range(0, FIRST_NODES), IntStream.of(GAP, nNodes - 1));
    return shown.boxed().toList();
  }

  private String ring(int channel) {
    return shownNodes().stream()
        .map(node -> node == GAP ? "…" : ringOnNode(channel, node))
        .collect(Collectors.joining(" | "));
  }

  private String ringOnNode(int channel, int node) {
    List<Integer> ranks = connection.ranksOf(node);
    int first =
        ranks.stream()
            .filter(rank -> isFirst(channel, node, rank))
            .findFirst()
            .orElse(ranks.get(0));
    List<String> order = new ArrayList<>();
    int rank = first;
    for (int i = 0; i < ranks.size(); i++) {
      order.add(String.valueOf(rank));
      rank = connection.rings().next(channel, rank);
    }
    String gpus = String.join(" ", order);
    Function<NodeId, String> name = port -> connection.portName(node, port);
    return connection
        .rings()
        .nets(channel, node)
        .map(ports -> name.apply(ports.in()) + " > " + gpus + " > " + name.apply(ports.out()))
        .orElse(gpus);
  }

  private boolean isFirst(int channel, int node, int rank) {
    int prev = connection.rings().prev(channel, rank);
    return connection.nNodes() == 1 ? rank == 0 : connection.nodeOf(prev) != node;
  }

  private String tree(int channel) {
    Trees trees = connection.trees();
    List<String> between = new ArrayList<>();
    List<String> inside = new ArrayList<>();
    for (int node : shownNodes()) {
      if (node == GAP) {
        between.add("…");
        inside.add("…");
        continue;
      }
      for (int rank : connection.ranksOf(node)) {
        int up = trees.links(channel, rank).up();
        if (up == Connection.NONE || connection.nodeOf(up) != node) {
          between.add(up == Connection.NONE ? "root " + rank : rank + ">" + up);
          inside.add(chain(channel, node, rank));
        }
      }
    }
    String chains = String.join(" | ", inside);
    return connection.nNodes() == 1 ? chains : String.join(" ", between) + " · " + chains;
  }

  /** The GPUs of a node below its first one. */
  private String chain(int channel, int node, int first) {
    List<String> order = new ArrayList<>();
    int rank = first;
    while (rank != Connection.NONE) {
      order.add(String.valueOf(rank));
      Trees.Links links = connection.trees().links(channel, rank);
      rank = Connection.NONE;
      for (int down : new int[] {links.down0(), links.down1(), links.down2()}) {
        if (down != Connection.NONE && connection.nodeOf(down) == node) {
          rank = down;
        }
      }
    }
    return String.join(" ", order);
  }

  private void ranks() {
    TextTable table = TextTable.atMargin();
    table.header("channel,rank,ring prev,ring next,tree up,tree down");
    for (int channel : excerpt.channels()) {
      for (int rank : excerpt.ranks()) {
        Trees.Links links = connection.trees().links(channel, rank);
        table.row(
            channel,
            rank,
            connection.rings().prev(channel, rank),
            connection.rings().next(channel, rank),
            links.up(),
            links.down0() + " " + links.down1() + " " + links.down2());
      }
    }
    out.line("").table(table);
  }
}
