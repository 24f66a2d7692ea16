package dev.topo.visualizer.drawing;

import dev.topo.model.Alike;
import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.CollNet;
import dev.topo.search.connect.Connection;
import dev.topo.visualizer.drawing.Wire.Flow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The picture of in-network reduction: for each kind of node the heads of CollNetDirect, or the
 * chains, below the network that reduces.
 */
public final class CollNetLayout {
  private static final double GAP = 14;
  private static final double PADDING = 8;
  private static final double NETWORK_HEIGHT = 26;
  private static final double LEVEL_GAP = 26;
  private static final double PANEL_GAP = 30;
  private static final double LINE_WIDTH = 3;
  private static final double TEXT = 11;

  private static final TextLine NETWORK = TextLine.bold("network (SHARP)", TEXT);

  private final Canvas canvas = new Canvas();
  private final Connection connection;
  private final CollNet collNet;
  private double top;

  private CollNetLayout(Connection connection) {
    this.connection = connection;
    this.collNet = connection.collNet().orElseThrow();
  }

  /**
   * Draws a job with in-network reduction.
   *
   * @param name the name of the job
   * @param summary a description of the job
   * @param graph {@link GraphKind#COLLNET_DIRECT} or {@link GraphKind#COLLNET_CHAIN}
   */
  public static Drawing draw(String name, String summary, Connection connection, GraphKind graph) {
    CollNetLayout layout = new CollNetLayout(connection);
    boolean isDirect = graph == GraphKind.COLLNET_DIRECT;
    Alike.by(connection.nNodes(), connection::domain)
        .values()
        .forEach(isDirect ? layout::heads : layout::chains);
    return layout.canvas.finish(
        name,
        List.of(summary),
        legend -> {
          legend.sample(WireKind.NET, Flow.BOTH, "to the network, which reduces");
          if (isDirect) {
            legend.sample(WireKind.TREE, Flow.NONE, "each rank with each head");
            legend.note(
                "Every rank of a node sends a part of its data to each head; it begins with the one that its box"
                    + " names (shift).");
          } else {
            legend.sample(WireKind.TREE, Flow.NONE, "chain: reduce up, broadcast down");
          }
        });
  }

  private void title(String what, List<Integer> nodes) {
    String ranks = nodes.size() == 1 ? "" : " (ranks: node " + nodes.get(0) + ")";
    TextLine line = TextLine.bold(what + ", " + QuantityFormat.ranges("node", nodes) + ranks, 12);
    top = canvas.add(line, 0, top) + GAP;
  }

  private void heads(List<Integer> nodes) {
    int node = nodes.get(0);
    title("CollNetDirect", nodes);
    List<Integer> heads = collNet.heads(node);
    List<List<TextLine>> texts = new ArrayList<>();
    for (int head : heads) {
      List<TextLine> lines = new ArrayList<>();
      lines.add(TextLine.bold("head " + heads.indexOf(head), TEXT));
      lines.add(TextLine.plain("rank " + head, TEXT));
      port(node, GraphKind.COLLNET_DIRECT, heads.indexOf(head))
          .ifPresent(port -> lines.add(TextLine.plain(port, TEXT)));
      texts.add(lines);
    }
    List<List<TextLine>> ranks =
        connection.ranksOf(node).stream()
            .map(
                rank ->
                    List.of(
                        TextLine.plain("rank " + rank, TEXT),
                        TextLine.plain(
                            "begins with head "
                                + collNet.direct(rank).map(CollNet.Direct::shift).orElse(0),
                            TEXT - 2)))
            .toList();
    double width = Math.max(width(texts), width(ranks));
    List<Area> areas = row(texts, width, top + NETWORK_HEIGHT + LEVEL_GAP);
    network(areas);
    for (int i = 0; i < areas.size(); i++) {
      canvas.add(new Box(BoxKind.NIC, areas.get(i), texts.get(i), "rank " + heads.get(i)));
    }
    top = areas.get(0).bottom() + LEVEL_GAP;
    List<Area> below = row(ranks, width, top);
    for (int i = 0; i < below.size(); i++) {
      canvas.add(new Box(BoxKind.GPU, below.get(i), ranks.get(i), "sends a part to each head"));
    }
    double bus = areas.get(0).bottom() + LEVEL_GAP / 2;
    areas.forEach(area -> line(area.centerX(), area.bottom(), bus));
    below.forEach(area -> line(area.centerX(), bus, area.y()));
    double left = Math.min(areas.get(0).centerX(), below.get(0).centerX());
    double right = Math.max(Last.of(areas).centerX(), Last.of(below).centerX());
    canvas.add(
        Wire.plain(
            WireKind.TREE,
            List.of(new Point(left, bus), new Point(right, bus)),
            LINE_WIDTH,
            Flow.NONE,
            "each rank with each head"));
    top = below.get(0).bottom() + PANEL_GAP;
  }

  private void chains(List<Integer> nodes) {
    int node = nodes.get(0);
    Map<List<Integer>, List<Integer>> alike =
        Alike.by(connection.nChannels(), channel -> collNet.chainOf(channel, node));
    title("CollNet chains", nodes);
    List<List<TextLine>> columns = new ArrayList<>();
    int channels = connection.searchedGraphs(node).get(GraphKind.COLLNET_CHAIN).nChannels();
    alike.forEach(
        (chain, same) -> {
          List<TextLine> lines = new ArrayList<>();
          lines.add(TextLine.bold(QuantityFormat.steps("channel", same), TEXT));
          port(node, GraphKind.COLLNET_CHAIN, same.get(0) % channels)
              .ifPresent(port -> lines.add(TextLine.plain(port, TEXT)));
          columns.add(lines);
        });
    List<Area> areas = row(columns, width(columns), top + NETWORK_HEIGHT + LEVEL_GAP);
    network(areas);
    int column = 0;
    double bottom = top;
    for (List<Integer> chain : alike.keySet()) {
      Area area = areas.get(column);
      canvas.add(new Box(BoxKind.NIC, area, columns.get(column++), ""));
      bottom = Math.max(bottom, below(area, chain));
    }
    top = bottom + PANEL_GAP;
  }

  /** Draws a chain below its port and returns its lower edge. */
  private double below(Area head, List<Integer> chain) {
    double y = head.bottom() + GAP;
    double before = head.bottom();
    for (int rank : chain) {
      TextLine text = TextLine.plain("rank " + rank, TEXT);
      Area area = new Area(head.x(), y, head.width(), text.height() + PADDING);
      line(area.centerX(), before, area.y());
      canvas.add(new Box(BoxKind.GPU, area, List.of(text), "rank " + rank));
      before = area.bottom();
      y = area.bottom() + GAP;
    }
    return before;
  }

  /** The name of the port of a searched channel. */
  private Optional<String> port(int node, GraphKind kind, int channel) {
    ChannelGraph graph = connection.searchedGraphs(node).get(kind);
    return channel < graph.nChannels()
        ? graph
            .channels()
            .get(channel)
            .nets()
            .map(Channel.Nets::in)
            .map(net -> connection.portName(node, net))
        : Optional.empty();
  }

  private void network(List<Area> below) {
    Area last = Last.of(below);
    Area network = new Area(below.get(0).x(), top, last.right() - below.get(0).x(), NETWORK_HEIGHT);
    canvas.add(
        new Box(BoxKind.NODE, network, List.of(NETWORK), "the switches of the network reduce"));
    for (Area area : below) {
      canvas.add(
          Wire.plain(
              WireKind.NET,
              List.of(
                  new Point(area.centerX(), area.y()), new Point(area.centerX(), network.bottom())),
              LINE_WIDTH,
              Flow.BOTH,
              "to the network and back"));
    }
  }

  private void line(double x, double from, double to) {
    List<Point> points = List.of(new Point(x, from), new Point(x, to));
    canvas.add(Wire.plain(WireKind.TREE, points, LINE_WIDTH, Flow.NONE, ""));
  }

  private static double width(List<List<TextLine>> texts) {
    return Math.max(TextBlock.widestOf(texts), NETWORK.width()) + 2 * PADDING;
  }

  /** The areas of equally sized boxes side by side. */
  private static List<Area> row(List<List<TextLine>> texts, double width, double y) {
    double height = PADDING + TextBlock.highestOf(texts);
    return IntStream.range(0, texts.size())
        .mapToObj(i -> new Area(i * (width + GAP), y, width, height))
        .toList();
  }
}
