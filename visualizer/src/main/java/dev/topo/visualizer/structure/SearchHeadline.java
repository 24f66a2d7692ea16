package dev.topo.visualizer.structure;

import dev.topo.model.PrintfNumber;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.engine.GraphLoad;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a search finds, in one sentence: the rings, what fills first, and the other graphs. */
public final class SearchHeadline {
  private SearchHeadline() {}

  /** The sentence; of several machines or groups of GPUs that of the first. */
  public static String of(List<FoundGraphs> sets) {
    FoundGraphs first = sets.get(0);
    ChannelGraph ring = first.graphs().get(GraphKind.RING);
    String where =
        "%s%s"
            .formatted(
                first.place().nMachines() > 1 ? "each node of " : "", first.place().machines());
    String rest =
        sets.size() == 1
            ? ""
            : " %s below.".formatted(QuantityFormat.count(sets.size() - 1L, "other set"));
    if (ring.nChannels() == 0) {
      return "NCCL finds no rings on %s.%s".formatted(where, rest);
    }
    return "NCCL finds %s of %s GB/s on %s%s%s%s.%s"
        .formatted(
            QuantityFormat.count(ring.nChannels(), "ring"),
            PrintfNumber.general(ring.bwIntra()),
            where,
            toNetwork(first, ring),
            limit(first, ring),
            others(first),
            rest);
  }

  private static String toNetwork(FoundGraphs found, ChannelGraph ring) {
    return found.domain().crossesNetwork()
        ? ", %s GB/s to the network"
            .formatted(PrintfNumber.general(ring.nChannels() * ring.bwInter()))
        : ", %s GB/s together".formatted(PrintfNumber.general(ring.nChannels() * ring.bwIntra()));
  }

  private static String limit(FoundGraphs found, ChannelGraph ring) {
    if (ring.bwIntra() == GraphsText.FALLBACK_BW_GBPS) {
      return "; no channel fits, so it takes the GPUs in the order of the file";
    }
    return new GraphLoad(found.domain(), ring)
        .fullest()
        .map(
            full ->
                String.format(
                    Locale.ROOT,
                    "; they fill the fullest links (%s) to %.0f %%",
                    full.link().type(),
                    100 * full.share()))
        .orElse("");
  }

  private static String others(FoundGraphs found) {
    ChannelGraph tree = found.graphs().get(GraphKind.TREE);
    Optional<ChannelGraph> nvls =
        Optional.of(found.graphs().get(GraphKind.NVLS)).filter(one -> one.nChannels() > 0);
    return "; "
        + QuantityFormat.count(tree.nChannels(), "tree")
        + " of %s GB/s".formatted(PrintfNumber.general(tree.bwIntra()))
        + nvls.map(
                one ->
                    ", and NVLS on %s of %s GB/s"
                        .formatted(
                            QuantityFormat.count(one.nChannels(), "channel"),
                            PrintfNumber.general(one.bwIntra())))
            .orElse(", and no NVLS");
  }
}
