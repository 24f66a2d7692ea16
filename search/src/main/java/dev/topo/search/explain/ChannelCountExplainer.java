package dev.topo.search.explain;

import dev.topo.model.graph.GraphKind;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.connect.ChannelStep;
import dev.topo.search.connect.Connection;
import dev.topo.search.explain.SearchTrace.GraphTrace;
import java.util.ArrayList;
import java.util.List;

/** Says where the number of channels comes from, step by step. */
public final class ChannelCountExplainer {
  private ChannelCountExplainer() {}

  /**
   * The steps from the search to the channels that a communicator runs on.
   *
   * @param ring the search for rings on the first node
   */
  public static Explanation explain(Communicator communicator, GraphTrace ring) {
    Connection connection = communicator.connection();
    List<String> sentences = new ArrayList<>();
    int searched = connection.searchedGraphs(0).get(GraphKind.RING).nChannels();
    int tree = connection.searchedGraphs(0).get(GraphKind.TREE).nChannels();
    sentences.add(
        "The search finds "
            + searched
            + " rings on a node"
            + (ring.doubled() > ring.found()
                ? ": "
                    + ring.found()
                    + " that are fast enough for two, so they are doubled at half the bandwidth"
                : "")
            + ", and "
            + tree
            + " trees.");
    for (ChannelStep step : connection.channelSteps()) {
      sentences.add(step.channels() + " channels: " + step.reason() + ".");
    }
    sentences.add(
        "Calls that are too small for all of them run on fewer; sends and receives use up to "
            + connection.p2pChannels(0).nChannels()
            + " channels, "
            + connection.p2pChannels(0).nChannelsPerPeer()
            + " for each peer.");
    if (connection.nvls().isSupported()) {
      sentences.add(
          "NVLS runs on " + connection.nvls().channels(0) + " channels of its own count.");
    }
    return new Explanation("number of channels", sentences);
  }
}
