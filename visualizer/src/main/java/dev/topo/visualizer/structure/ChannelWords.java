package dev.topo.visualizer.structure;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.Connection;

/** Words that distinguish the channels of one machine from those of another, for a sentence. */
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

  /** That there is no NVLS, with the reason that the machine shows. */
  public static String noNvls(boolean hasNvSwitch) {
    return hasNvSwitch ? "no NVLS" : "no NVLS without an NVSwitch";
  }
}
