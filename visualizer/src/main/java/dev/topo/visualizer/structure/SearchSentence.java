package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.List;
import java.util.Optional;

/**
 * Summarises a graph search in one sentence: the rings, the link that limits them, and the other
 * graphs.
 */
public final class SearchSentence {
  private SearchSentence() {}

  /** Returns the sentence; for several sets of graphs it describes the first. */
  public static String of(List<FoundGraphs> sets) {
    FoundGraphs first = sets.get(0);
    ChannelGraph ring = first.graphs().get(GraphKind.RING);
    String where =
        (first.place().nMachines() > 1 ? "each node of " : "") + first.place().machines();
    String otherSets =
        sets.size() == 1
            ? ""
            : " %s below.".formatted(QuantityFormat.count(sets.size() - 1L, "other set"));
    if (ring.nChannels() == 0) {
      return "NCCL finds no rings on %s.%s".formatted(where, otherSets);
    }
    String rings =
        "NCCL finds %s of %s GB/s on %s"
            .formatted(
                QuantityFormat.count(ring.nChannels(), "ring"),
                PrintfNumber.general(ring.bwIntra()),
                where);
    String end = "; %s.%s".formatted(others(first), otherSets);
    if (GraphsText.isFallback(ring)) {
      return rings + ", in the order of the file, as no channel fits" + end;
    }
    return Sentence.of(
        rings + bandwidth(first, ring, true) + end,
        rings + bandwidth(first, ring, false) + end,
        rings + end);
  }

  /** The bandwidth of all rings together, and how far they fill the fullest link. */
  private static String bandwidth(FoundGraphs found, ChannelGraph ring, boolean hasPath) {
    boolean crosses = found.domain().crossesNetwork();
    return ", %s GB/s %s%s%s"
        .formatted(
            PrintfNumber.general(ring.nChannels() * (crosses ? ring.bwInter() : ring.bwIntra())),
            crosses ? "to the network" : "together",
            hasPath ? " over " + (crosses ? ring.typeInter() : ring.typeIntra()) : "",
            MostFilledLink.of(found.domain(), ring)
                .map(
                    fullest ->
                        TextWriter.format(
                            "; they fill %s to %.0f %%",
                            fullest.name(), 100 * fullest.loaded().share()))
                .orElse(""));
  }

  private static String others(FoundGraphs found) {
    Optional<ChannelGraph> nvls =
        Optional.of(found.graphs().get(GraphKind.NVLS)).filter(graph -> graph.nChannels() > 0);
    return QuantityFormat.count(found.graphs().get(GraphKind.TREE).nChannels(), "tree")
        + nvls.map(graph -> ", NVLS on " + QuantityFormat.count(graph.nChannels(), "channel"))
            .orElse(", " + ChannelWords.noNvls(found.domain().topology().hasNvSwitch()));
  }
}
