package dev.topo.inspect.caveat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.caveat.CaveatCollector.CaveatJob;
import dev.topo.inspect.caveat.CaveatCollector.CaveatJob.Scope;
import dev.topo.inspect.caveat.CaveatCollector.CaveatJob.Subject;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologyReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaveatFinderTest {
  private static final Path MACHINES =
      Path.of(System.getProperty("topo.root")).resolve("topologies");

  private static String text(String machine) {
    try {
      return Files.readString(MACHINES.resolve(machine + ".xml"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Subject subject(String name, String xml) {
    return subject(name, xml, GpuSelection.ALL);
  }

  private static Subject subject(String name, String xml, GpuSelection gpus) {
    XmlDocument document = new XmlReader().read(xml.getBytes(StandardCharsets.UTF_8), name);
    Topology topology = new TopologyReader().map(document, gpus, new Diagnostics());
    return new Subject(name, topology, document.root(), false);
  }

  private static CaveatJob job(String xml, int nodes, String... settings) {
    return new CaveatJob(
        List.of(subject("it", xml)),
        nodes,
        Scope.COMMUNICATOR,
        NcclSettings.parse(Arrays.asList(settings)),
        ReleaseRules.DEFAULT);
  }

  private static String ids(CaveatJob job) {
    return CaveatFinder.find(job).stream().map(Caveat::id).collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a100-pcie-4-bridged",
        "ac922-6",
        "dgx-1v",
        "dgx-2",
        "dgx-a100",
        "dgx-h100",
        "gh200",
        "gtx1660-1",
        "hgx-a100-1nic",
        "hgx-b200",
        "hgx-h100-32nic",
        "hgx-h100-sharp",
        "hgx-h100-vm-flat",
        "hgx-h200-4nic",
        "l40s-4",
        "l40s-8-switched",
        "pcie-6-uneven",
        "rtx3090-2-bridged",
        "rtx4090-2",
        "v100-4-mesh"
      })
  void jobsThatAreModelledHaveNone(String machine) {
    for (int nodes : new int[] {1, 2, 16}) {
      assertEquals("", ids(job(text(machine), nodes)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1,,''",
    "2,,nvlink-domain",
    "2,NCCL_MNNVL_ENABLE=1,nvlink-domain",
    "2,NCCL_MNNVL_ENABLE=2,nvlink-domain",
    "2,NCCL_MNNVL_ENABLE=0,''",
    "2,NCCL_MNNVL_UUID=3,nvlink-domain",
    "2,NCCL_MNNVL_UUID=0,''",
    "2,NCCL_P2P_LEVEL=LOC,''"
  })
  void nodesOfARackMayBeOneNvlinkDomain(int nodes, String setting, String expected) {
    String[] settings = setting == null ? new String[0] : new String[] {setting};
    assertEquals(expected, ids(job(text("gb200-tray"), nodes, settings)));
    String x86 =
        text("gb200-tray")
            .replace(
                "arch=\"arm64\"",
                "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\"");
    assertEquals("", ids(job(x86, nodes, settings)));
  }

  @ParameterizedTest
  @CsvSource({
    "1,,''",
    "1,NCCL_MNNVL_ENABLE=0,''",
    "1,NCCL_MNNVL_UUID=3,''",
    "1,NCCL_MNNVL_CLIQUE_ID=0,''",
    "1,NCCL_MNNVL_CLIQUE_ID=-2,domain-ids",
    "2,,''",
    "2,NCCL_MNNVL_UUID=0,''",
    "2,NCCL_MNNVL_UUID=-1,''",
    "2,NCCL_MNNVL_UUID=3,domain-ids",
    "2,NCCL_MNNVL_CLIQUE_ID=0,domain-ids",
    "2,NCCL_MNNVL_RAIL_PER_HOST=1,''"
  })
  void idsMayMakeOtherDomains(int nodes, String setting, String expected) {
    XmlElement domain =
        NvlinkDomain.fuse(Collections.nCopies(2, subject("it", text("gb200-tray")).file()));
    Topology topology =
        new TopologyReader()
            .map(
                new XmlDocument(List.of(), domain, List.of()), GpuSelection.ALL, new Diagnostics());
    assertEquals(
        expected,
        ids(
            new CaveatJob(
                List.of(new Subject("it", topology, domain, false)),
                nodes,
                Scope.COMMUNICATOR,
                NcclSettings.parse(setting == null ? List.of() : List.of(setting)),
                ReleaseRules.DEFAULT)));
  }

  @Test
  void gpusThatAlwaysHaveNvlinksAreMissedOncePerModel() {
    String without = text("dgx-h100").replaceAll("<nvlink[^>]*>", "");
    List<Caveat> caveats = CaveatFinder.find(job(without, 1));
    assertEquals(1, caveats.size());
    assertEquals("it, 8 x H100 (dev 0-7)", caveats.get(0).subject());
    assertTrue(caveats.get(0).remedy().toString().contains("assumption gpu=h100,nvlink=nvswitch"));
    assertEquals("missing-nvlink", caveats.get(0).id());
    CaveatJob half =
        new CaveatJob(
            List.of(subject("it", without, GpuSelection.of(Set.of(2, 3, 4, 7)))),
            1,
            Scope.COMMUNICATOR,
            NcclSettings.DEFAULTS,
            ReleaseRules.DEFAULT);
    assertEquals("it, 4 x H100 (dev 2-4,7)", CaveatFinder.find(half).get(0).subject());

    Subject stated = subject("it", without);
    assertEquals(
        "",
        ids(
            new CaveatJob(
                List.of(new Subject("it", stated.topology(), stated.file(), true)),
                1,
                Scope.COMMUNICATOR,
                NcclSettings.DEFAULTS,
                ReleaseRules.DEFAULT)));
    // A PCIe card of the same chip, and a file without device ids.
    assertEquals("", ids(job(without.replace("0x2330", "0x2331"), 1)));
    assertEquals("possible-nvlink", ids(job(without.replace("device=\"0x2330\"", ""), 1)));
    assertEquals(
        "missing-nvlink",
        ids(job(without.replace("0x2330", "0x29ff").replace("sm=\"90\"", "sm=\"100\""), 1)));
  }

  @Test
  void equalFindingsOfSeveralMachinesAreOne() {
    CaveatJob job =
        new CaveatJob(
            List.of(subject("a", text("gb200-tray")), subject("b", text("gb200-tray"))),
            4,
            Scope.COMMUNICATOR,
            NcclSettings.DEFAULTS,
            ReleaseRules.DEFAULT);
    List<Caveat> caveats = CaveatFinder.find(job);
    assertEquals(1, caveats.size());
    assertEquals("a, b", caveats.get(0).subject());
  }

  @ParameterizedTest
  @CsvSource({
    "1,,''",
    "2,,nic-merge",
    "2,NCCL_IB_MERGE_NICS=1,merged-ports",
    "2,NCCL_IB_MERGE_NICS=0,''",
    "2,NCCL_NET_MERGE_LEVEL=LOC,''",
    "2,NCCL_NET_MERGE_LEVEL=PORT,merged-ports",
    "2,NCCL_NET_MERGE_LEVEL=PIX,merged-ports",
    "2,'NCCL_NET_FORCE_MERGE=mlx5_0,mlx5_1',merged-ports",
    "2,NCCL_NET=Socket,setting",
  })
  void portsOfACardAreMerged(int nodes, String setting, String expected) {
    String[] settings = setting == null ? new String[0] : new String[] {setting};
    assertEquals(expected, ids(job(text("hgx-h100-dualport"), nodes, settings)));
    String efa = text("hgx-h100-dualport").replace("0x15b3", "0x1d0f");
    assertFalse(ids(job(efa, nodes, settings)).contains("merge"));
  }

  @Test
  void theCaveatNamesTheDevicesThatAreMade() {
    CaveatJob forced =
        job(
            text("hgx-h100-dualport"),
            2,
            "NCCL_NET_FORCE_MERGE=mlx5_0,mlx5_2;mlx5_4,mlx5_5",
            "NCCL_NET_MERGE_LEVEL=LOC");
    assertEquals("it (mlx5_4+mlx5_5 mlx5_0+mlx5_2)", CaveatFinder.find(forced).get(0).subject());
    assertTrue(CaveatFinder.isMarkedBy(forced, "NCCL_NET_MERGE_LEVEL"));
  }

  @Test
  void mergedPortsOfAFileAreNotSeparated() {
    String merged =
        text("hgx-h100-dualport").replaceAll("name=\"mlx5_[0-9]+\" ", "name=\"mlx5_0+mlx5_1\" ");
    assertEquals("", ids(job(merged, 2)));
    assertEquals("setting", ids(job(merged, 2, "NCCL_IB_MERGE_NICS=0")));
    assertEquals("setting", ids(job(merged, 2, "NCCL_NET_MERGE_LEVEL=LOC")));
  }

  /** Load balancing by events changes routes; files with partitions of a GPU are refused. */
  @ParameterizedTest
  @CsvSource({
    "NCCL_IB_EVENT_BASED_LB=1, setting",
    "NCCL_NET_GDR_MLOPART=1, ''",
    "NCCL_TOPO_SPLIT_MLOPART=0, ''",
    "NCCL_MLOPART_RDMA_ENABLE=1, ''"
  })
  void settingsMarkTheAnswersThatTheyChange(String setting, String expected) {
    CaveatJob job = job(text("dgx-h100"), 2, "NCCL_IB_MERGE_NICS=0", setting);
    assertEquals(expected, ids(job));
  }

  @ParameterizedTest
  @CsvSource({
    "NCCL_IB_DISABLE=1,'',setting",
    "NCCL_IB_DISABLE=0,'',''",
    "NCCL_NET=Socket,'',setting",
    "NCCL_SOCKET_IFNAME=eth0,'',setting",
    "NCCL_IB_HCA=mlx5_0,'',''",
    "NCCL_IB_QPS_PER_CONNECTION=4,'',setting",
    "NCCL_CUMEM_ENABLE=0,setting,setting",
    "NCCL_HOSTID=a,setting,setting",
    "NCCL_P2P_READ_ENABLE=1,setting,setting",
    "NCCL_P2P_LL_THRESHOLD=0,'',''",
    "NCCL_DEBUG=INFO,'',''",
    "NCCL_IB_TIMEOUT=22,'',''",
    "NCCL_MNNVL_ENABLE=1,'',''",
    "NCCL_CROSS_NIC=1,'',''",
    "NCCL_TOPO_FILE=a.xml,'',''",
  })
  void settingsThatMatterAndAreNotModelledMarkTheAnswer(
      String setting, String oneNode, String twoNodes) {
    CaveatJob one = job(text("dgx-h100"), 1, setting);
    CaveatJob two = job(text("dgx-h100"), 2, setting);
    assertEquals(oneNode, ids(one));
    assertEquals(twoNodes, ids(two));
    assertEquals(!oneNode.isEmpty(), CaveatFinder.isMarkedBy(one, setting.split("=")[0]));
    CaveatFinder.find(two).forEach(caveat -> assertEquals(setting, caveat.subject()));
  }

  @Test
  void aMachineByItselfIsMarkedBySettingsOfItsDevices() {
    CaveatJob machine =
        new CaveatJob(
            List.of(subject("it", text("gb200-tray"))),
            1,
            Scope.MACHINE,
            NcclSettings.parse(
                List.of("NCCL_IB_DISABLE=1", "NCCL_TOPO_FILE=a.xml", "NCCL_IB_TC=1")),
            ReleaseRules.DEFAULT);
    List<Caveat> caveats = CaveatFinder.find(machine);
    assertEquals(1, caveats.size());
    assertEquals("NCCL_IB_DISABLE=1, NCCL_TOPO_FILE=a.xml", caveats.get(0).subject());
  }

  /** The first compute capability of Rubin was not read. */
  @ParameterizedTest
  @CsvSource({
    "2.32.3, hgx-b200, 107, read-rules newer-gpu",
    "2.32.3, hgx-b200, 100, read-rules",
    "2.31.2, hgx-b200, 107, read-rules",
    "2.32.3, l40s-4, 107, read-rules",
    "2.19.3, hgx-b200, 100, old-release",
    "2.24.3, hgx-b200, 103, old-release",
    "2.24.3, l40s-4, 120, old-release",
    "2.24.3, dgx-h100, 90, ''",
    "2.25.1, hgx-b200, 100, ''",
    "2.22.3, a100-4-slingshot, 80, device-order"
  })
  void releasesThatDoNotKnowTheGpusOrJoinTheirTreesAreMarked(
      String release, String machine, int sm, String expected) {
    String xml = text(machine).replaceAll(" sm=\"\\d+\"", " sm=\"" + sm + "\"");
    CaveatJob job =
        new CaveatJob(
            List.of(subject("it", xml)),
            1,
            Scope.COMMUNICATOR,
            NcclSettings.DEFAULTS,
            ReleaseRules.of(NcclRelease.parse(release)));
    assertEquals(expected, ids(job));
  }

  @Test
  void communicatorsOnTheSameNodesShareThem() {
    CaveatJob job =
        new CaveatJob(
            List.of(subject("it", text("dgx-h100"))),
            2,
            Scope.SHARED_NODES,
            NcclSettings.DEFAULTS,
            ReleaseRules.DEFAULT);
    assertEquals("concurrent-groups", ids(job));
  }

  /** What a hypervisor does to the GPU at bus 11, one sign at a time; without any, hardware. */
  @ParameterizedTest
  @CsvSource({
    "busid=\"0000:11:00.0\", busid=\"0000:11:00.0\", ''",
    "busid=\"0000:11:00.0\", busid=\"0000:00:11.0\", no-gpudirect",
    "link_speed=\"32.0 GT/s PCIe\", link_speed=\"\", no-gpudirect",
    "numaid=\"0\", numaid=\"-1\", no-gpudirect"
  })
  void aVirtualMachineHasOneOfTheseSigns(String real, String virtual, String expected) {
    String gpu = "(<cpu (?s:.*?)<pci busid=\"0000:11:00.0\" class=\"0x030200\"[^>]*>)";
    String without = text("dgx-h100").replace("gdr=\"1\"", "gdr=\"0\"");
    Matcher upToGpu = Pattern.compile(gpu).matcher(without);
    assertTrue(upToGpu.find());
    String xml =
        upToGpu.replaceFirst(Matcher.quoteReplacement(upToGpu.group().replace(real, virtual)));
    assertEquals(expected, ids(job(xml, 2)));
  }

  @Test
  void virtualMachinesWithoutGpuDirectCopyThroughTheHost() {
    String without = text("hgx-h100-vm-flat").replace("gdr=\"1\"", "gdr=\"0\"");
    assertEquals("", ids(job(without, 1)));
    assertEquals("no-gpudirect", ids(job(without, 2)));
    Subject before = subject("it", text("dgx-h100"));
    Topology after = subject("it", text("dgx-h100").replace("gdr=\"1\"", "gdr=\"0\"")).topology();
    assertEquals(List.of(), CaveatFinder.ofChange(before, before.topology(), 2));
    assertEquals(List.of(), CaveatFinder.ofChange(before, after, 1));
    assertEquals("no-gpudirect", CaveatFinder.ofChange(before, after, 2).get(0).id());
  }
}
