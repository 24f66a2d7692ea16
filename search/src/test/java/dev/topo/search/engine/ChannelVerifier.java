package dev.topo.search.engine;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.path.Domain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks a graph against its definition: every channel has every GPU of the domain once, NVLS
 * channels have different heads, and no link carries more than it has.
 */
public final class ChannelVerifier {
  /** The most that rounding to thousandths in the search can add up to. */
  private static final double TOLERANCE_GBPS = 0.1;

  private ChannelVerifier() {}

  /**
   * The problems of a graph, one line each; none if it is right.
   *
   * @param domain where it was found
   */
  public static List<String> verify(Domain domain, ChannelGraph graph) {
    List<String> wrong = new ArrayList<>();
    Set<Integer> expected =
        new HashSet<>(domain.topology().gpus().stream().map(GpuNode::rank).toList());
    Set<Integer> heads = new HashSet<>();
    for (int c = 0; c < graph.nChannels(); c++) {
      Channel channel = graph.channels().get(c);
      if (channel.ranks().size() != expected.size()
          || !new HashSet<>(channel.ranks()).equals(expected)) {
        wrong.add(
            "channel %s has ranks %s, expected each of %s once"
                .formatted(c, channel.ranks(), expected));
      }
      if (graph.kind() == GraphKind.NVLS && !heads.add(channel.ranks().get(0))) {
        wrong.add(
            "channel %s has the head %s of another channel".formatted(c, channel.ranks().get(0)));
      }
      if (channel.nets().isPresent() != domain.crossesNetwork()) {
        wrong.add("channel " + c + (domain.crossesNetwork() ? " has no ports" : " has ports"));
      }
    }
    for (GraphLoad.LoadedLink loaded : new GraphLoad(domain, graph).fullestFirst()) {
      if (loaded.usedGBps() > loaded.link().bwGBps() + TOLERANCE_GBPS) {
        wrong.add(loaded.link() + " carries " + loaded.usedGBps() + " GB/s");
      }
    }
    return wrong;
  }
}
