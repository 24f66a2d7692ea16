package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.search.connect.Connection;

/** How the ranks of a job are connected, in one sentence. */
public final class ConnectHeadline {
  private ConnectHeadline() {}

  /** The sentence: the channels of each kind, and which algorithms there are. */
  public static String of(String title, Connection connection) {
    String nvls =
        connection.nvls().isSupported()
            ? "NVLS on %s with %s"
                .formatted(
                    QuantityFormat.count(connection.nvls().channels(0), "channel"),
                    QuantityFormat.count(connection.nvls().nHeads(), "head"))
            : "no NVLS";
    return "%s: %s on %s have %s for rings and trees, %s, %s; sends and receives have %s, of which one peer uses %d."
        .formatted(
            title,
            QuantityFormat.count(connection.nRanks(), "rank"),
            connection.nodeWords(),
            QuantityFormat.count(connection.nChannels(), "channel"),
            nvls,
            connection.collNet().isPresent() ? "CollNet" : "no CollNet",
            QuantityFormat.count(connection.p2pChannels(0).nChannels(), "channel"),
            connection.p2pChannels(0).nChannelsPerPeer());
  }
}
