package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.Connection;
import dev.topo.visualizer.view.Answer.Sentence;

/** How the ranks of a job are connected, in one sentence. */
public final class ConnectionSentence {
  private ConnectionSentence() {}

  /** The sentence: the channels of each kind, what the rings fill, which algorithms there are. */
  public static String of(String title, Connection connection) {
    int peers = connection.p2pChannels(0).nChannels();
    int toOne = connection.p2pChannels(0).nChannelsPerPeer();
    String begin =
        "%s: %s for rings and trees %s"
            .formatted(
                title,
                QuantityFormat.count(connection.nChannels(), "channel"),
                ChannelWords.of(connection, GraphKind.RING));
    String end =
        "; %s, %s; %s for sends and receives%s."
            .formatted(
                nvls(connection),
                connection.collNet().isPresent() ? "CollNet" : "no CollNet",
                peers,
                toOne == peers ? "" : " (%s to one peer)".formatted(toOne));
    return Sentence.of(begin + fullest(connection) + end, begin + end);
  }

  /** The link that the rings fill most on the first node. */
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
