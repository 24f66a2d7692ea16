package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.bound.BoundFinder;
import dev.topo.search.engine.ChannelVerifier;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every graph found on the reference machines is right by definition, whatever NCCL says: each
 * channel has every GPU once, no link carries more than it has, and the channels together no more
 * than the narrowest cut allows. What NCCL falls back to where it finds no channel (0.1 GB/s) is
 * not meant to fit and is left out.
 */
class ChannelDefinitionTest {
  private static final float FALLBACK_BW_GBPS = 0.1f;

  /** What rounding to thousandths in the search can add up to. */
  private static final double TOLERANCE_GBPS = 0.1;

  @Test
  void channelsOfOwnMachinesAreRight() {
    verify("own", ReferenceSets.own());
  }

  @Test
  @Tag("slow")
  void channelsOfRandomMachinesAreRight() {
    verify(
        "random",
        Thorough.orEvery(2, 0, ReferenceSets.random(), "random machines, channels by definition"));
  }

  private static void verify(String set, List<ReferenceCase> cases) {
    for (int nodes : new int[] {1, 2}) {
      Agreement agreement = new Agreement("channels right by definition n" + nodes + " " + set);
      for (ReferenceCase reference : cases) {
        Topology topology = reference.topology();
        for (Domain domain :
            DomainFinder.find(topology, NcclSettings.DEFAULTS, nodes > 1, NcclProfile.DEFAULT)) {
          for (ChannelGraph graph :
              reference.graphs().graphs(domain, NcclSettings.DEFAULTS, new Inputs()).all()) {
            if (graph.bwIntra() != FALLBACK_BW_GBPS) {
              agreement.add(
                  reference.name() + " " + graph.kind().label(),
                  String.join("; ", wrong(domain, graph)));
            }
          }
        }
      }
      agreement.finish();
    }
  }

  private static List<String> wrong(Domain domain, ChannelGraph graph) {
    List<String> wrong = new ArrayList<>(ChannelVerifier.verify(domain, graph));
    new BoundFinder(domain)
        .find(graph)
        .filter(bound -> bound.usedGBps() > bound.bandwidthGBps() + TOLERANCE_GBPS)
        .ifPresent(bound -> wrong.add("more than the bound: " + bound));
    return wrong;
  }
}
