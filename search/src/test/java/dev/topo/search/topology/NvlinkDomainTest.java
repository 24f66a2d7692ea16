package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NvlinkDomainTest {
  private static final int HOSTS = 3;

  private static XmlElement tray() throws IOException {
    return new XmlReader()
        .read(ShippedMachines.files().get(0).resolveSibling("gb200-tray.xml"), new Inputs())
        .root();
  }

  private static XmlElement domain() throws IOException {
    return NvlinkDomain.fuse(Collections.nCopies(HOSTS, tray()));
  }

  private static Topology topology(XmlElement system, Diagnostics diagnostics) {
    return new TopologyReader()
        .map(new XmlDocument(List.of(), system, List.of()), GpuSelection.ALL, diagnostics);
  }

  private static Topology topology(XmlElement system) {
    return topology(system, new Diagnostics());
  }

  private static List<Domain> nodes(Topology topology, String... settings) {
    return DomainFinder.find(
        topology, NcclSettings.parse(List.of(settings)), false, NcclProfile.DEFAULT);
  }

  private static boolean separatesHosts(
      Topology topology, NcclProfile profile, String... settings) {
    return DomainFinder.separatesHosts(topology, NcclSettings.parse(List.of(settings)), profile);
  }

  @Test
  void ranksAndPortsAreNumberedHostByHost() throws IOException {
    Diagnostics diagnostics = new Diagnostics();
    Topology topology = topology(domain(), diagnostics);
    int perHost = topology(tray()).gpus().size();
    assertEquals(HOSTS * perHost, topology.gpus().size());
    for (GpuNode gpu : topology.gpus()) {
      assertEquals(gpu.id().systemId() * perHost + gpu.dev(), gpu.rank());
    }
    assertEquals(
        topology.nets().size(),
        topology.nets().stream().map(NetNode::asic).distinct().count(),
        "a guid of its own for each port");
    assertTrue(
        diagnostics.list().stream().noneMatch(one -> one.severity() == Severity.WARNING),
        diagnostics.list()::toString);
  }

  @Test
  void hostsAreWhatWasJoined() throws IOException {
    List<XmlElement> hosts = NvlinkDomain.hosts(domain());
    assertEquals(HOSTS, hosts.size());
    assertTrue(NvlinkDomain.hasSeveralHosts(domain()));
    assertFalse(NvlinkDomain.hasSeveralHosts(tray()));
    assertEquals(List.of(tray()), NvlinkDomain.hosts(tray()));
    assertEquals(topology(tray()).size(), topology(hosts.get(1)).size());
    assertEquals(domain(), NvlinkDomain.fuse(List.of(domain())), "a domain stays what it is");
  }

  @Test
  void hostsWithoutGpusAreLeftOut() throws IOException {
    Topology some = topology(NvlinkDomain.only(domain(), gpu -> gpu.host() > 0 && gpu.dev() == 2));
    assertEquals(2, some.gpus().size());
    assertEquals(2, some.nHosts());
    Topology one = topology(NvlinkDomain.only(domain(), gpu -> gpu.host() == 1));
    assertEquals(1, one.nHosts());
    assertEquals(topology(tray()).size(), one.size());
    assertEquals(nodes(topology(tray())).size(), nodes(one).size());
  }

  @Test
  void theOrderOfRanksInAFileRemains() throws IOException {
    List<NvlinkDomain.HostGpu> dealt =
        List.of(
            new NvlinkDomain.HostGpu(0, 0),
            new NvlinkDomain.HostGpu(1, 0),
            new NvlinkDomain.HostGpu(0, 1),
            new NvlinkDomain.HostGpu(1, 1));
    XmlElement file = RankFusion.inRankOrder(domain(), dealt);
    List<Integer> ranks =
        topology(NvlinkDomain.fuse(List.of(file, file))).gpus().stream()
            .map(GpuNode::rank)
            .toList();
    assertEquals(List.of(0, 2, 1, 3, 4, 6, 5, 7), ranks);
    assertEquals(file, NvlinkDomain.rejoin(NvlinkDomain.hosts(file)));
  }

  /** No rank of a host without selected GPUs would bring its ports. */
  @Test
  void selectedGpusBringTheirHostsOnly() throws IOException {
    XmlElement lacking = NvlinkDomain.only(domain(), gpu -> gpu.host() != 1 || gpu.dev() != 3);
    Topology selected =
        new TopologyReader()
            .map(
                new XmlDocument(List.of(), lacking, List.of()),
                GpuSelection.of(Set.of(3)),
                new Diagnostics());
    assertEquals(List.of(0, 1), selected.gpus().stream().map(GpuNode::rank).toList());
    assertEquals(2, selected.nHosts());
    assertEquals(2 * topology(tray()).nets().size(), selected.nets().size());
  }

  @Test
  void settingsMakeNodesOfHosts() throws IOException {
    Topology topology = topology(domain());
    assertEquals(1, nodes(topology).size());
    for (String setting :
        List.of(
            "NCCL_MNNVL_ENABLE=0",
            "NCCL_P2P_DISABLE=1",
            "NCCL_P2P_LEVEL=LOC",
            "NCCL_MNNVL_UUID=0")) {
      assertTrue(nodes(topology, setting).size() >= HOSTS, setting);
      assertTrue(separatesHosts(topology, NcclProfile.DEFAULT, setting));
    }
    assertFalse(
        separatesHosts(topology, NcclProfile.DEFAULT, "NCCL_P2P_LEVEL=LOC", "NCCL_MNNVL_ENABLE=1"));
    assertTrue(
        separatesHosts(topology, NcclProfile.DEFAULT, "NCCL_MNNVL_UUID=0", "NCCL_MNNVL_ENABLE=1"));
    assertFalse(
        separatesHosts(topology, NcclProfile.of("2.23.4"), "NCCL_MNNVL_UUID=0"),
        "2.23.4 has no such setting");
    for (String setting :
        List.of("NCCL_MNNVL_ENABLE=2", "NCCL_MNNVL_UUID=7", "NCCL_MNNVL_CLIQUE_ID=0")) {
      assertFalse(separatesHosts(topology, NcclProfile.DEFAULT, setting), setting);
    }
    for (Topology host : HostTopologies.of(topology, NcclProfile.DEFAULT)) {
      assertEquals(topology(tray()).size(), host.size());
      assertTrue(host.gpus().stream().allMatch(gpu -> gpu.id().systemId() == 0));
    }
    assertEquals(1, HostTopologies.of(topology(tray()), NcclProfile.DEFAULT).size());
  }
}
