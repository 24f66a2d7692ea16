package dev.topo.search.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.CpuModel;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import org.junit.jupiter.api.Test;

class LinkRatesTest {
  private static final double LOOSE = 1e-4;

  @Test
  void nvlinksHaveTheRateOfTheirGeneration() {
    assertEquals(20, LinkRates.nvlinkGBps(60));
    assertEquals(25, LinkRates.nvlinkGBps(75));
    assertEquals(14.0625, LinkRates.nvlinkGBps(86));
    assertEquals(25, LinkRates.nvlinkGBps(90));
    assertEquals(50, LinkRates.nvlinkGBps(103));
    assertFalse(LinkRates.switchesReduce(80));
    assertTrue(LinkRates.switchesReduce(90));
  }

  /** 3 GB/s are 16 lanes of the first generation, 8 of the second or 4 of the third. */
  @Test
  void pciHasTheRateOfTheFastestLinkThatNcclCountsAlike() {
    assertEquals(4, LinkRates.pciGBps(3), LOOSE);
    assertEquals(15.7538, LinkRates.pciGBps(12), LOOSE);
    assertEquals(31.5077, LinkRates.pciGBps(24), LOOSE);
    assertEquals(63.0154, LinkRates.pciGBps(48), LOOSE);
    assertEquals(118, LinkRates.pciGBps(96), LOOSE);
    assertEquals(LinkRates.UNLIMITED_GBPS, LinkRates.pciGBps(5000));
  }

  @Test
  void noRateIsBelowWhatNcclPlansWith() {
    for (int sm = 60; sm < 130; sm++) {
      for (String version : new String[] {"2.19.3", "2.28.9", "2.30.7"}) {
        float planned = NcclProfile.of(version).links().nvlink(sm);
        assertTrue(LinkRates.nvlinkGBps(sm) >= planned, version + ", sm " + sm);
      }
    }
    for (float planned = 0.1f; planned < 100; planned += 0.7f) {
      assertTrue(LinkRates.pciGBps(planned) > planned);
    }
  }

  @Test
  void cpusWithoutADocumentedRateAreNoLimit() {
    assertEquals(67.2, betweenCpus(CpuArch.X86, CpuVendor.INTEL, CpuModel.INTEL_SKYLAKE));
    assertEquals(256, betweenCpus(CpuArch.X86, CpuVendor.AMD, CpuModel.OTHER));
    assertEquals(64, betweenCpus(CpuArch.POWER, CpuVendor.NONE, CpuModel.OTHER));
    assertEquals(
        LinkRates.UNLIMITED_GBPS,
        betweenCpus(CpuArch.X86, CpuVendor.ZHAOXIN, CpuModel.ZHAOXIN_YONGFENG));
    assertEquals(
        LinkRates.UNLIMITED_GBPS, betweenCpus(CpuArch.UNKNOWN, CpuVendor.NONE, CpuModel.OTHER));
  }

  private static double betweenCpus(CpuArch arch, CpuVendor vendor, CpuModel model) {
    TestMachine machine = new TestMachine();
    for (int i = 0; i < 2; i++) {
      Vertex cpu = machine.cpu(arch, vendor, model);
      machine.gpu(cpu, 80);
    }
    Topology topology = machine.build();
    int cpu = topology.indexes(NodeType.CPU)[0];
    Link link =
        topology.links(cpu).stream()
            .filter(one -> one.type() == LinkType.SYS)
            .findFirst()
            .orElseThrow();
    return LinkRates.gbps(topology, link, NcclProfile.DEFAULT);
  }
}
