package dev.topo.simulator.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KindPackerTest {
  private static KindPacker packer(Domain domain, Pattern pattern) {
    int nodes = domain.crossesNetwork() ? 4 : 1;
    NodeLinks links = NodeLinks.of(domain, nodes, link -> domain.paths().linkTable().bwGBps(link));
    PlacedChannel inFileOrder =
        new PlacedChannel(IntStream.range(0, links.gpus()).boxed().toList(), 0, 0);
    return new KindPacker(new ChannelSpace(links, pattern), List.of(inFileOrder), true);
  }

  /** Four GPUs in a circle of NVLinks, two of which are not next to each other in the file. */
  private static Domain circle() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex b = machine.gpu(cpu, 80);
    Vertex c = machine.gpu(cpu, 80);
    Vertex d = machine.gpu(cpu, 80);
    machine.nvlink(a, c, 80);
    machine.nvlink(c, b, 80);
    machine.nvlink(b, d, 80);
    machine.nvlink(d, a, 80);
    return DomainFinder.find(machine.build(), NcclSettings.DEFAULTS, false, NcclProfile.DEFAULT)
        .get(0);
  }

  /** One ring in each direction uses all links. */
  @Test
  void ringsGoAroundACircleInBothDirections() {
    KindPacker packer = packer(circle(), Pattern.RING);
    assertEquals(160, packer.boundGBps(), 0.2);
    assertEquals(80, packer.packed(1).gbps(), 1e-9);
    assertEquals(160, packer.packed(2).gbps(), 1e-9);
    assertTrue(packer.isReached(2));
    assertTrue(packer.isBoundExact());
    assertEquals(160, packer.packed(4).gbps(), 1e-9);
    assertEquals(4, packer.packed(4).channels().size());
  }

  /** A chain leaves one link of the circle, in both directions: four take turns. */
  @Test
  void chainsTakeTurnsToLeaveALink() {
    KindPacker packer = packer(circle(), Pattern.BALANCED_TREE);
    assertEquals(80, packer.packed(1).gbps(), 1e-9);
    assertEquals(320.0 / 3, packer.packed(4).gbps(), 1e-9);
    assertTrue(packer.isReached(4));
  }

  @Test
  void nothingExceedsTheBound() {
    for (int seed = 0; seed < 40; seed++) {
      for (boolean crosses : new boolean[] {false, true}) {
        Domain domain =
            DomainFinder.find(
                    RandomMachine.of(seed), NcclSettings.DEFAULTS, crosses, NcclProfile.DEFAULT)
                .get(0);
        if (domain.topology().gpus().size() > 1
            && (!crosses || !domain.topology().nets().isEmpty())) {
          for (Pattern pattern : List.of(Pattern.RING, Pattern.BALANCED_TREE)) {
            KindPacker packer = packer(domain, pattern);
            for (int count = 1; count <= 4; count++) {
              Packing packing = packer.packed(count);
              assertEquals(count, packing.channels().size());
              assertTrue(
                  packing.gbps() <= packer.boundGBps() * (1 + 1e-9),
                  "seed " + seed + " " + pattern + " " + count);
            }
          }
        }
      }
    }
  }

  @Test
  void sameAnswerAgain() {
    Domain domain =
        DomainFinder.find(RandomMachine.of(7), NcclSettings.DEFAULTS, false, NcclProfile.DEFAULT)
            .get(0);
    assertEquals(packer(domain, Pattern.RING).packed(6), packer(domain, Pattern.RING).packed(6));
  }
}
