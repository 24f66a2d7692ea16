package dev.topo.visualizer.structure;

import dev.topo.model.Alike;
import dev.topo.model.Node.NodeId;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes a connection as text: the facts, then the selected parts. Channels that look alike share a
 * line, and long jobs are shortened in the middle.
 */
public final class ConnectionText {
  private final Connection connection;
  private final Excerpt excerpt;
  private final boolean isVerbose;
  private final TextWriter out = new TextWriter();

  private ConnectionText(Excerpt excerpt, boolean isVerbose) {
    this.isVerbose = isVerbose;
    this.connection = excerpt.connection();
    this.excerpt = excerpt;
  }

  /**
   * Returns the facts of a communicator, then its selected parts.
   *
   * @param isVerbose whether to show every channel and rank instead of the first few
   */
  public static Answer of(
      String title,
      Excerpt excerpt,
      Set<ConnectPart> parts,
      AbsenceReason absence,
      boolean isVerbose) {
    ConnectionText text = new ConnectionText(excerpt, isVerbose);
    text.facts(title);
    for (ConnectPart part : parts) {
      Optional<String> absent = absence.of(part);
      if (absent.isPresent()) {
        text.out.line("\n%s", absent.get());
      } else {
        text.part(part);
      }
    }
    return Answer.of(text.out);
  }

  private void part(ConnectPart part) {
    switch (part) {
      case RINGS_TREES -> ringsAndTrees();
      case NVLS -> new NvlsText(excerpt, out).write();
      case COLLNET -> new CollNetText(excerpt, out).write();
      case P2P -> new ScheduleText(excerpt, out).write();
      case NICS -> new NicText(excerpt, out).write();
    }
  }

  private void ringsAndTrees() {
    if (excerpt.isOfSomeRanks()) {
      ranks();
    } else {
      folded("rings, from node to node", this::ring);
      folded("trees, child > parent between nodes, parent to child inside", this::tree);
    }
  }

  private void facts(String title) {
    String nvls =
        connection.nvls().isSupported()
            ? "NVLS with %s channels and %s heads"
                .formatted(connection.nvls().channels(), connection.nvls().nHeads())
            : "no NVLS";
    out.paragraph(
        "%s: %s, %s channels for rings and trees, %s, %s, %s channels for send and receive (%s per peer)"
            .formatted(
                title,
                JobSummary.ranks(connection),
                connection.nChannels(),
                nvls,
                connection.collNet().isPresent() ? "CollNet" : "no CollNet",
                connection.p2pChannels(0).nChannels(),
                connection.p2pChannels(0).nChannelsPerPeer()),
        "  ");
  }

  private void folded(String title, Function<Integer, String> describe) {
    TextTable table = TextTable.indented();
    Map<String, List<Integer>> alike =
        Alike.by(excerpt.channels(ConnectPart.RINGS_TREES), describe);
    int shown = ShownChannels.rows(alike.size(), isVerbose);
    alike.entrySet().stream()
        .limit(shown)
        .forEach(
            entry -> table.row(QuantityFormat.ranges("channel", entry.getValue()), entry.getKey()));
    out.line("\n%s", title).table(table);
    ShownChannels.omitted(out, alike.size(), shown);
  }

  private String ring(int channel) {
    return ShownNodes.joined(connection, " | ", node -> ringOnNode(channel, node));
  }

  private String ringOnNode(int channel, int node) {
    List<Integer> ranks = connection.ranksOf(node);
    int first =
        ranks.stream()
            .filter(rank -> isFirst(channel, node, rank))
            .findFirst()
            .orElse(ranks.get(0));
    List<Integer> order = new ArrayList<>();
    int rank = first;
    for (int i = 0; i < ranks.size(); i++) {
      order.add(rank);
      rank = connection.rings().next(channel, rank);
    }
    String gpus = ShownChannels.order(order, isVerbose);
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
    for (int node : ShownNodes.of(connection)) {
      if (node == ShownNodes.GAP) {
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

  /** The GPUs of a node along the tree, starting at {@code first}. */
  private String chain(int channel, int node, int first) {
    List<Integer> order = new ArrayList<>();
    int rank = first;
    while (rank != Connection.NONE) {
      order.add(rank);
      Trees.Links links = connection.trees().links(channel, rank);
      rank = Connection.NONE;
      for (int down : new int[] {links.down0(), links.down1(), links.down2()}) {
        if (down != Connection.NONE && connection.nodeOf(down) == node) {
          rank = down;
        }
      }
    }
    return ShownChannels.order(order, isVerbose);
  }

  private void ranks() {
    out.line("")
        .table(
            TextTable.atMargin()
                .header("channel,rank,ring prev,ring next,tree up,tree down")
                .rows(
                    new ConnectionRows(excerpt).links().toList(),
                    link ->
                        List.of(
                            link.channel(),
                            link.rank(),
                            link.ringPrev(),
                            link.ringNext(),
                            link.treeUp(),
                            RankLists.listed(link.treeDown()))));
  }
}
