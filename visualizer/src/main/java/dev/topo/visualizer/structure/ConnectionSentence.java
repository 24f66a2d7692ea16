package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.Connection;
import dev.topo.visualizer.view.Answer.Sentence;

/** Summarises in one sentence how the ranks of a job are connected. */
public final class ConnectionSentence {
  private ConnectionSentence() {}

  /**
   * Returns the sentence: the channels of each kind, the link that the rings fill most, and whether
   * NVLS and CollNet are available.
   */
  public static String of(String title, Connection connection) {
    int peers = connection.p2pChannels(0).nChannels();
    int perPeer = connection.p2pChannels(0).nChannelsPerPeer();
    String ringsAndTrees =
        "%s: %s for rings and trees %s"
            .formatted(
                title,
                QuantityFormat.count(connection.nChannels(), "channel"),
                ChannelWords.of(connection, GraphKind.RING));
    String otherChannels =
        "; %s, %s; %s for sends and receives%s."
            .formatted(
                nvls(connection),
                connection.collNet().isPresent() ? "CollNet" : "no CollNet",
                peers,
                perPeer == peers ? "" : " (%s to one peer)".formatted(perPeer));
    return Sentence.of(
        ringsAndTrees + fullest(connection) + otherChannels, ringsAndTrees + otherChannels);
  }

  /** The link that the rings fill most on the first node, in brackets; empty if they use none. */
  private static String fullest(Connection connection) {
    return MostFilledLink.of(connection.domain(0), connection.searchedGraphs(0).get(GraphKind.RING))
        .map(fullest -> " (fullest: %s)".formatted(fullest.name()))
        .orElse("");
  }

  private static String nvls(Connection connection) {
    if (connection.nvls().isSupported()) {
      return "NVLS on " + connection.nvls().channels();
    }
    return ChannelWords.noNvls(connection.domain(0).topology().hasNvSwitch());
  }
}
