package dev.topo.visualizer.structure;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.Connection;

/** Phrases for sentences that tell the channels of one machine from those of another. */
public final class ChannelWords {
  private ChannelWords() {}

  /** The longest paths of a graph on the first node: {@code over NVL, PIX to NICs}. */
  public static String of(Connection connection, GraphKind kind) {
    ChannelGraph graph = connection.searchedGraphs(0).get(kind);
    return "over "
        + graph.typeIntra()
        + (connection.nNodes() > 1 && connection.domain(0).crossesNetwork()
            ? ", %s to NICs".formatted(graph.typeInter())
            : "");
  }

  /** Phrase for the absence of NVLS, with the reason where the hardware shows it. */
  public static String noNvls(boolean hasNvSwitch) {
    return hasNvSwitch ? "no NVLS" : "no NVLS without an NVSwitch";
  }
}
