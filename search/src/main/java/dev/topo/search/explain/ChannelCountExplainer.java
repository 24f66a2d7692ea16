package dev.topo.search.explain;

import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.engine.ChannelPlan;
import dev.topo.search.explain.SearchTrace.GraphTrace;
import dev.topo.search.tuning.Communicator;
import java.util.ArrayList;
import java.util.List;

/** Explains how NCCL derives the number of channels of a communicator, step by step. */
public final class ChannelCountExplainer {
  private ChannelCountExplainer() {}

  /**
   * The search for rings on a group of equal nodes, with which the derivation starts.
   *
   * @param place name of these nodes in sentences
   * @param node index of one of these nodes
   * @param ring the trace of the search
   */
  public record Start(String place, int node, GraphTrace ring) {}

  /**
   * Explains the steps from the search to the channels that a communicator uses.
   *
   * @param starts the searches on the distinct nodes
   */
  public static Explanation explain(Communicator communicator, List<Start> starts) {
    Connection connection = communicator.connection();
    List<String> sentences = new ArrayList<>();
    for (Start start : starts) {
      sentences.add(found(connection, start));
    }
    for (ChannelPlan.Step step : connection.channelSteps()) {
      sentences.add(step.channels() + " channels: " + step.reason() + ".");
    }
    sentences.add("Calls that are too small for all of them run on fewer.");
    for (Start start : starts) {
      P2pChannels peers = connection.p2pChannels(start.node());
      sentences.add(
          "Sends and receives %suse up to %s channels, %s for each peer."
              .formatted(
                  starts.size() == 1 ? "" : "of " + start.place() + " ",
                  peers.nChannels(),
                  peers.nChannelsPerPeer()));
    }
    if (connection.nvls().isSupported()) {
      sentences.add("NVLS runs on " + connection.nvls().channels() + " channels of its own count.");
    }
    return new Explanation("number of channels", sentences);
  }

  private static String found(Connection connection, Start start) {
    NodeGraphs graphs = connection.searchedGraphs(start.node());
    GraphTrace ring = start.ring();
    String doubled =
        ring.doubled() > ring.found()
            ? ": %s that are fast enough for two channels each, so they are doubled at half the bandwidth"
                .formatted(ring.found())
            : "";
    return "The search finds %s on %s%s, and %s."
        .formatted(
            QuantityFormat.count(graphs.get(GraphKind.RING).nChannels(), "ring"),
            start.place(),
            doubled,
            QuantityFormat.count(graphs.get(GraphKind.TREE).nChannels(), "tree"));
  }
}
