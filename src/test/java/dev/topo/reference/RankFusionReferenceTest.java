package dev.topo.reference;

import dev.topo.search.topology.NvlinkDomain.HostGpu;
import dev.topo.search.topology.RankFusion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** The XML of a domain, joined rank by rank, against that of NCCL's own code. */
class RankFusionReferenceTest {
  private static final int TRAYS = 4;

  @Test
  void everyElementIsWhereNcclPutsIt() {
    Agreement agreement = new Agreement("mnnvl joined XML");
    compare(agreement, "gb200-4trays", 16, rank -> new HostGpu(rank / 4, rank % 4));
    compare(agreement, "gb200-4trays-cyclic", 16, rank -> new HostGpu(rank % 4, rank / 4));
    compare(agreement, "gb200-4trays-1gpu", 4, rank -> new HostGpu(rank, 0));
    compare(agreement, "gb200-4trays-15gpu", 15, rank -> place(rank < 11 ? rank : rank + 1));
    agreement.finish();
  }

  private static HostGpu place(int gpu) {
    return new HostGpu(gpu / 4, gpu % 4);
  }

  private static void compare(
      Agreement agreement, String name, int ranks, IntFunction<HostGpu> place) {
    List<HostGpu> order = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      order.add(place.apply(rank));
    }
    ReferenceCase expected =
        new ReferenceCase(
            ReferenceSets.folder("mnnvl").resolve(name), ReferenceSets.shipped("gb200-tray.xml"));
    agreement.addEqual(
        name,
        expected.text("topo.xml").strip(),
        JoinedHosts.text(
                RankFusion.inRankOrder(JoinedHosts.fused(expected.topologyFile(), TRAYS), order))
            .strip());
  }
}
