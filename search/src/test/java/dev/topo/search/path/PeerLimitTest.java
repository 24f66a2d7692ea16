package dev.topo.search.path;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.path.PathFinder.PeerLimit;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P2P over PCI by the model of the GPUs and the driver's answer. */
class PeerLimitTest {
  private static final int CASES = RandomCases.count(200, 10_000);
  private static final long SEED = Long.getLong("test.seed", 1);

  /** Two GPUs behind a switch. */
  private static Topology pair(String vendor, int sm, String device, String p2p) {
    String link = " link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"";
    StringBuilder gpus = new StringBuilder();
    for (int dev = 0; dev < 2; dev++) {
      gpus.append(
          "<pci busid=\"0000:1%d:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"%s\"%s><gpu dev=\"%d\" sm=\"%d\" rank=\"%d\" gdr=\"1\" p2p=\"%s\"/></pci>"
              .formatted(dev + 1, device, link, dev, sm, dev, p2p));
    }
    String system =
        "<system version=\"1\"><cpu numaid=\"0\" affinity=\"f\" arch=\"x86_64\" vendor=\"%s\" familyid=\"143\" modelid=\"49\"><pci busid=\"0000:10:00.0\" class=\"0x060400\"%s>%s</pci></cpu></system>"
            .formatted(vendor, link, gpus);
    return new TopologyReader()
        .map(
            new XmlReader().read(system.getBytes(StandardCharsets.UTF_8), "pair"),
            GpuSelection.ALL,
            new Diagnostics());
  }

  /** On AMD, two GPUs may be as far as SYS, so that the path alone does not tell. */
  @ParameterizedTest
  @CsvSource({
    "89,0x2684,'',PHB SHM", // RTX 4090
    "86,0x2204,'',PHB SHM", // RTX 3090
    "75,0x1e07,'',PHB SHM", // RTX 2080 Ti
    "120,0x2b85,'',PHB SHM", // RTX 5090
    "89,0x26b9,'',PIX P2P", // L40S
    "86,0x2235,'',PIX P2P", // A40
    "75,0x1eb8,'',PIX P2P", // T4
    "120,0x2bb5,'',PIX P2P", // RTX PRO 6000
    "61,0x1b06,'',PIX P2P", // GTX 1080 Ti
    "90,0x2322,'',PIX P2P", // H800
    "89,0x2684,11,PIX P2P", // by another driver
    "89,0x26b9,00,PHB SHM", // in a virtual machine
    "90,'',00,PHB SHM",
    "89,'','',PIX P2P unknown",
    "86,0x0000,'',PIX P2P unknown",
    "86,'',11,PIX P2P"
  })
  void cardsOfGeForceHaveNoneUnlessTheDriverSaysSo(
      int sm, String device, String p2p, String expected) {
    for (String vendor : List.of("AuthenticAMD", "GenuineIntel")) {
      Topology pair = pair(vendor, sm, device, p2p);
      Paths paths = PathFinder.find(pair, NcclSettings.DEFAULTS, NcclProfile.DEFAULT);
      int[] gpus = pair.indexes(NodeType.GPU);
      boolean isUnknown = PeerLimit.isUnknown(pair, NcclSettings.DEFAULTS, NcclProfile.DEFAULT);
      assertEquals(
          expected,
          paths.type(gpus[0], gpus[1])
              + " "
              + Transport.between(new Domain(paths, false), 0, 1, NcclSettings.DEFAULTS)
              + (isUnknown ? " unknown" : ""),
          vendor);
    }
  }

  @Test
  void whatIsNotKnownMattersOnlyWithinTheLimit() {
    NcclSettings off = NcclSettings.parse(List.of("NCCL_P2P_DISABLE=1"));
    Topology pair = pair("GenuineIntel", 89, "", "");
    assertEquals(false, PeerLimit.isUnknown(pair, off, NcclProfile.DEFAULT));
  }

  /** No P2P over PCI at all is the same as NCCL_P2P_LEVEL=NVB. */
  @Test
  void pathsWithoutP2pAreThoseOfNvlinksAlone() {
    NcclSettings nvlinks = NcclSettings.parse(List.of("NCCL_P2P_LEVEL=NVB"));
    for (long seed = SEED; seed < SEED + CASES; seed++) {
      assertEquals(
          paths(RandomMachine.of(seed), nvlinks),
          paths(RandomMachine.of(seed, "00000"), NcclSettings.DEFAULTS),
          "-Dtest.seed=" + seed);
    }
  }

  private static String paths(Topology topology, NcclSettings settings) {
    Domain domain = new Domain(PathFinder.find(topology, settings, NcclProfile.DEFAULT), false);
    int[] gpus = topology.indexes(NodeType.GPU);
    StringBuilder out = new StringBuilder();
    for (int a = 0; a < gpus.length; a++) {
      for (int b = 0; b < gpus.length; b++) {
        out.append(domain.paths().path(gpus[a], gpus[b])).append(' ');
        out.append(Transport.between(domain, a, b, settings)).append('\n');
      }
    }
    return out.toString();
  }
}
