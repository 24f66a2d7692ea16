package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code topo explain} answers to questions that users of NCCL have asked in public. */
class ExplainCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  @TempDir private Path folder;

  private static String explain(String machine, String... args) {
    String[] all = new String[args.length + 2];
    all[0] = "explain";
    all[1] = ROOT.resolve("topologies/" + machine + ".xml").toString();
    System.arraycopy(args, 0, all, 2, args.length);
    CliRun run = CliRun.of(all);
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  private static void assertSays(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "'" + part + "' is missing in\n" + text);
    }
  }

  /** NVIDIA/nccl#300: it did not pick the ring that I think is best. */
  @Test
  void saysWhatAnotherRingWouldCarry() {
    assertSays(
        explain("dgx-1v", "--why-not", "ring=0,1,2,3,7,6,5,4"),
        "Its farthest hop is NVL (1)",
        "All rings in this order together carry at most 20 GB/s inside the node, limited by NVL GPU 0 to GPU 1;"
            + " NCCL's 6 rings carry 120 GB/s.");
    assertSays(
        explain("dgx-1v", "--why-not", "ring=0,5,1,4,2,7,3,6"),
        "Its farthest hop is NVB (2)",
        "NCCL's rings keep within NVL (1)");
  }

  @Test
  void saysByWhichNicRanksSendAndWhy() {
    assertSays(
        explain("dgx-h100", "--nodes", "2", "--about", "nics"),
        "(PXN); NCCL_P2P_PXN_LEVEL=0 would have each GPU use its own NIC.",
        "local ranks 0-7: to GPU 0 by mlx5_0, driven by GPU 0; to GPU 1 by mlx5_1, driven by GPU 1;");
    assertSays(
        explain("dgx-h100", "--nodes", "2", "--about", "nics", "--env", "NCCL_P2P_PXN_LEVEL=0"),
        "NCCL_P2P_PXN_LEVEL=0: each GPU uses its own NIC.",
        "local rank 3: to GPUs 0-7 by mlx5_3, driven by GPU 3.");
    assertSays(explain("dgx-h100", "--about", "nics"), "The job is one node: no send takes a NIC.");
  }

  /** NVIDIA/nccl#439: one ring instead of two because both ports hang off one PCI link. */
  @Test
  void namesTheLinkThatPortsShare() {
    String text = explain("hgx-h100-dualport", "--nodes", "2", "--about", "search");
    assertSays(text, "16 channels with pattern RING, each 24 GB/s");
    assertSays(
        text,
        "The fullest link is PCI GPU 0 to PCI 0-10000: the channels take 48 GB/s of its 48 GB/s (100 %)");
  }

  /** The example of docs/bound.md, to the letter. */
  @Test
  void theBoundOfAnOperationIsThatOfTheDocument() throws IOException {
    String text =
        explain("a100-pcie-4-bridged", "--collective=all_reduce", "--sizes=256M", "--about=bound");
    String document = Files.readString(ROOT.resolve("docs/bound.md"));
    assertTrue(document.contains("--about bound\n" + text + "```"), text);
  }

  @Test
  void theBoundSaysWhatReducesWhatNcclReachesAndWhatIsNotKnown() {
    assertSays(
        explain("dgx-h100", "--about", "bound", "--sizes", "1G"),
        "less than 2.39 ms for 1 GiB: algbw 450.0 GB/s, busbw 787.5 GB/s.",
        "the link out of GPU 0, 450.0 GB/s in this direction (raw rate): NVL GPU 0 to NVS 0-0 (450.0).",
        "Switches reduce here",
        "reach of the bound: ring 57 %, tree 50 %, nvls 89 %.",
        "by NVLS/Simple: ",
        "over all links of the machine at once the bound would be 2.09 ms.");
    assertSays(
        explain("dgx-a100", "--nodes", "4", "--about", "bound", "--sizes", "1G"),
        "the 8 links into each node, 200.0 GB/s",
        "these 4 parts, so that 6 times the data has to enter them");
    Path sockets = ROOT.resolve("src/test/resources/measured/h200-x2.topo.xml");
    CliRun run = CliRun.of("explain", sockets.toString(), "--nodes", "2", "--about", "bound");
    assertSays(run.out(), "The speed of the interface eth0 is not known");
  }

  @Test
  void theBoundIsData() {
    JsonNode bound =
        new JsonMapper()
            .readTree(
                explain(
                    "dgx-1v",
                    "--about=bound",
                    "--collective=alltoall",
                    "--sizes=256M",
                    "--format=json"))
            .get("bound");
    assertEquals("alltoall", bound.get("collective").asString());
    assertEquals(75, bound.get("algbwGBps").asDouble(), 1e-3);
    assertEquals(150, bound.get("cutGBps").asDouble(), 1e-3);
    assertEquals(4, bound.get("cut").size());
    assertEquals("into GPUs 0-3", bound.get("side").asString());
    assertTrue(bound.get("predicted").isNull());
    JsonNode without =
        new JsonMapper().readTree(explain("dgx-1v", "--about=search", "--format=json"));
    assertTrue(without.get("bound").isNull());
  }

  @Test
  void namesTheCutThatBoundsAGraph() {
    assertSays(
        explain("dgx-h100", "--about", "search"),
        "The cut that bounds this graph: NVL GPU 0 to NVS 0-0, 360 of 370.8 GB/s.",
        "The cut that bounds this graph: NVL GPU 0 to NVS 0-0, 320 of 329.6 GB/s.");
    assertSays(
        explain("dgx-1v", "--about", "search"),
        "The cut that bounds this graph: NVL GPU 0 to GPU 1 and 3 other links, 120 of 120 GB/s.");
    assertSays(
        explain("l40s-4", "--about", "search", "--nodes", "2"),
        "The cut that bounds this graph: NET NIC 0-40000 to mlx5_0, 12 of 12.5 GB/s.");
  }

  @Test
  void jsonHasTheBoundOfEachGraphThatWasFound() {
    JsonNode topics =
        JsonMapper.shared()
            .readTree(explain("l40s-4", "--about", "search", "--format", "json"))
            .get("explanations");
    JsonNode bound = topics.get(0).get("bound");
    assertEquals(16, bound.get("bandwidthGBps").asDouble());
    assertEquals(15, bound.get("usedGBps").asDouble());
    assertEquals(
        "{\"from\":\"CPU 0-0\",\"to\":\"CPU 0-1\",\"type\":\"SYS\",\"bwGBps\":16}",
        bound.get("cut").get(0).toString());
    assertEquals(2, bound.get("cut").size());
    assertTrue(topics.get(2).get("bound").isNull(), "there is no CollNet graph to bound");
  }

  /** NVIDIA/nccl#713, #524, #1072, #1633: where does the number of channels come from? */
  @Test
  void countsTheChannelsStepByStep() {
    assertSays(
        explain("dgx-h100", "--about", "channels"),
        "The search finds 12 rings on a node: 6 that are fast enough for two channels each, so they are doubled at half the bandwidth",
        "24 channels: every ring and tree that all nodes have is laid twice");
    assertSays(
        explain("dgx-h100", "--about", "channels", "--env", "NCCL_MAX_NCHANNELS=8"),
        "8 channels: the most that NCCL_MAX_NCHANNELS or NCCL_MAX_CTAS allow");
  }

  /** NVIDIA/nccl#1899: why a graph with PXN and not one with crossNic? */
  @Test
  void weighsPxnAgainstCrossNic() {
    String text =
        explain("hgx-h200-4nic", "--nodes", "2", "--about", "search", "--why-not", "crossNic=1");
    assertSays(
        text,
        "PIX (4) to the network, channels free to differ",
        "why not crossNic=1",
        "With NCCL_CROSS_NIC=1:",
        "crossNic 0 becomes");
    assertSays(
        explain("pcie-6-uneven", "--nodes", "2", "--why-not", "crossNic=1"),
        "ring graph: ",
        "in NCCL's model, unchanged");
  }

  @Test
  void triesSettings() {
    assertSays(
        explain("hgx-h100-dualport", "--nodes", "2", "--why-not", "NCCL_NET_MERGE_LEVEL=PIX"),
        "With NCCL_NET_MERGE_LEVEL=PIX:",
        "  ports: mlx5_0 mlx5_1 ",
        " becomes mlx5_0+mlx5_1 mlx5_2+mlx5_3 ",
        "ring graph: 16 x 24 GB/s inside, 24 GB/s outside, NVL/PIX, crossNic 2 becomes 8 x 48 GB/s");
    assertSays(explain("dgx-1v", "--why-not", "NCCL_NVB_DISABLE=1"), "With NCCL_NVB_DISABLE=1:");
  }

  /** NVIDIA/nccl#1313, #1114, #1697, #2193: is PXN on, and what would it be without? */
  @Test
  void saysWherePxnIsOnAndWhatItIsWorth() {
    String text = explain("dgx-1v", "--nodes", "2", "--about", "devices", "--why-not", "pxn=0");
    assertSays(
        text,
        "GPU 0 to mlx5_1: GDR on (PIX (4), within the limit PXB (5)); PXN through the GPU that drives it (direct it would be PHB (8))",
        "GPU 0 to mlx5_3: GDR off",
        "no PXN, no NVLink leads straight to the GPU that drives the port",
        "With NCCL_PXN_DISABLE=1:");
    assertSays(
        explain("dgx-1v", "--nodes", "2", "--about", "devices", "--env", "NCCL_PXN_DISABLE=1"),
        "PXN off (NCCL_PXN_DISABLE=1)");
  }

  /** With PXN both GPUs prefer the faster port; GPU 0 still relays to the other one. */
  @Test
  void aGpuMayRelayToAPortThatItDoesNotPrefer() {
    CliRun run =
        CliRun.of(
            "explain",
            Path.of(
                    System.getProperty("topo.root"),
                    "src/test/resources/lint/machine-net-value.xml")
                .toString(),
            "--about",
            "devices",
            "--why-not",
            "nic=1:mlx5_0");
    assertEquals(0, run.status(), run.err());
    assertSays(
        run.out(),
        "GPU 1 to mlx5_0: GDR on (PIX (4), within the limit PXB (5)); PXN through",
        "PXN through GPU 0 (direct it would be SYS (9))");
  }

  /** NVIDIA/nccl#1151: the log says "distance 8 &gt; 5"; what is 8? */
  @Test
  void namesDistancesWithTheNumbersOfTheLog() {
    assertSays(
        explain("l40s-4", "--about", "devices"),
        "GPU 0 to mlx5_0: GDR off (PHB (8), farther than the limit PXB (5); NCCL_NET_GDR_LEVEL=PHB would allow it)",
        "0 LOC, 1 NVL, 2 NVB, 3 C2C, 4 PIX, 5 PXB, 6 P2C, 7 PXN, 8 PHB, 9 SYS, 10 NET, 11 DIS");
    assertSays(
        explain(
            "l40s-4", "--about", "devices", "--nccl", "2.21.5", "--nodes=2"), // without C2C and P2C
        "GPU 0 to mlx5_0: GDR off (PHB (6), farther than the limit PXB (4); NCCL_NET_GDR_LEVEL=PHB would allow it)");
    assertSays(
        explain("dgx-1v", "--why-not", "nic=3:mlx5_3"),
        "why not mlx5_3 for GPU 3",
        "GDR off (SYS (9)",
        "Its first port is mlx5_1: GDR on");
  }

  /**
   * A file of two hosts that NVLink joins: no level that NCCL reads brings a GPU to a port there.
   */
  @Test
  void advisesNoLevelWhereNoWayLeadsToThePort() throws IOException {
    Path twoHosts = Files.writeString(folder.resolve("two-hosts.xml"), twoHosts());
    CliRun run = CliRun.of("explain", twoHosts.toString(), "--about", "devices");
    assertEquals(0, run.status(), run.err());
    assertSays(
        run.out(),
        "GPU 0-0 to 1-mlx5_1: GDR off (DIS (11), there is no path from the GPU to the port; no NCCL_NET_GDR_LEVEL changes that,"
            + " the farthest is SYS); no PXN, the GPU that drives the port is on another host.");
    assertFalse(run.out().contains("NCCL_NET_GDR_LEVEL=DIS"), run.out());
  }

  private static String twoHosts() {
    StringBuilder xml = new StringBuilder("<system version=\"1\">\n");
    for (int host = 0; host < 2; host++) {
      xml.append(
          """
            <cpu host_hash="0x%d" numaid="0" affinity="ffff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
              <pci busid="0000:%d0:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
                <pci busid="0000:%d1:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
                  <gpu dev="%d" sm="90" rank="%d" gdr="1">
                    <nvlink target="0000:00:00.0" count="18" tclass="0x068000"/>
                  </gpu>
                </pci>
                <pci busid="0000:%d2:00.0" class="0x020000" link_speed="32.0 GT/s PCIe" link_width="16">
                  <nic>
                    <net name="mlx5_%d" dev="%d" speed="400000" port="1" guid="0x%d" maxconn="131072" gdr="1"/>
                  </nic>
                </pci>
              </pci>
            </cpu>
          """
              .formatted(host + 1, host + 1, host + 1, host, host, host + 1, host, host, host + 1));
    }
    return xml.append("</system>\n").toString();
  }

  /**
   * NVIDIA/nccl#1661: which pairs of algorithm and protocol are valid here, and why not the others?
   */
  @Test
  void listsValidPairsAndTheRulesThatForbidTheOthers() {
    assertSays(
        explain(
            "dgx-h100",
            "--nodes",
            "4",
            "--about",
            "choice",
            "--collective",
            "all_reduce",
            "--sizes",
            "64M"),
        "NCCL takes NVLSTree with Simple on 16 channels of 640 threads, because its model says 465.8 us.",
        "Ring/LL128: 587.3 us, from a latency of 144.4 us and 151.535 GB/s, 26 % more",
        "Not considered: NVLS/Simple (over several nodes it needs in-network reduction; NVLSTree does not).",
        "PAT/LL, PAT/LL128, PAT/Simple (NCCL has PAT for AllGather and ReduceScatter only)");
    assertSays(
        explain("rtx4090-2", "--about", "choice"),
        "Ring/LL128 (LL128 is only safe where 128 bytes arrive in one piece: up to NVB between GPUs and PXB to the network; this graph goes up to");
    assertSays(
        explain(
            "dgx-h100",
            "--nodes",
            "4",
            "--why-not",
            "algorithm=tree,protocol=ll128",
            "--why-not",
            "algorithm=nvls"),
        "Tree/LL128: 821.7 us on 16 channels, 76 % more than NVLSTree/Simple with 465.8 us.",
        "NVLS/Simple: not considered, over several nodes it needs in-network reduction");
  }

  @Test
  void aProtocolIsAnsweredForEveryAlgorithmThatCanCarryIt() {
    String text = explain("dgx-h100", "--collective", "all_reduce", "--why-not", "protocol=ll128");
    assertSays(
        text,
        "why not LL128 for AllReduce of 64 MiB\n  Ring/LL128: ",
        "\n  Tree/LL128: ",
        " more than NVLS/Simple with ");
    assertSays(text, "Not considered: NVLS/LL128 (NCCL has NVLS with Simple only).");
    assertSays(
        explain(
            "dgx-h100",
            "--collective",
            "broadcast",
            "--sizes",
            "64M",
            "--why-not",
            "protocol=ll128"),
        "Ring/LL128: ",
        "Tree/LL128, CollNetDirect/LL128, CollNetChain/LL128, NVLS/LL128, NVLSTree/LL128 (NCCL runs Broadcast on rings only).");
  }

  @Test
  void showsEachMachineOfAMixedJob() {
    String h100 = ROOT.resolve("topologies/dgx-h100.xml").toString();
    String a100 = ROOT.resolve("topologies/dgx-a100.xml").toString();
    CliRun run = CliRun.of("explain", "--node", h100 + "*2", "--node", a100);
    assertEquals(0, run.status(), run.err());
    assertSays(
        run.out(),
        "The search finds 8 rings on dgx-h100, nodes 0-1, and 8 trees.",
        "The search finds 8 rings on dgx-a100, node 2, and 8 trees.",
        "ring graph on dgx-h100, nodes 0-1\n",
        "ring graph on dgx-a100, node 2\n",
        "GPUs and ports on dgx-h100, nodes 0-1\n",
        "GPUs and ports on dgx-a100, node 2\n");
    assertEquals("", run.err());
    CliRun ring =
        CliRun.of("explain", "--node", a100, "--node", h100, "--why-not", "ring=0,1,2,3,4,5,6,7");
    assertSays(ring.err(), "are those of dgx-a100, node 0; select another machine with its FILE");
  }

  @Test
  void oneRankIsEnoughForWhatIsAboutTheMachine() {
    assertSays(
        explain("dgx-h100", "--gpus", "0", "--about", "devices"),
        "GPU 0 prefers mlx5_0 (PIX (4), 48 GB/s); its first port is mlx5_0.");
    assertSays(
        explain("dgx-h100", "--gpus", "0", "--about", "search", "--why-not", "nic=0:mlx5_1"),
        "ring graph",
        "why not mlx5_1 for GPU 0");
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    CliRun run = CliRun.of("explain", machine, "--gpus", "0", "--about", "choice,devices");
    assertEquals(1, run.status(), run.err());
    assertSays(run.err(), "is one rank, which sends nothing");
  }

  @Test
  void saysWhatIsMissingForNvls() {
    assertSays(
        explain("dgx-h100", "--nodes", "2", "--gpus", "0", "--why-not", "algorithm=nvlstree"),
        "NVLSTree/Simple: not considered, NVLS takes two or more GPUs of the job on a node, each node here has one.");
    assertSays(
        explain("dgx-h100", "--why-not", "algorithm=nvls", "--env", "NCCL_NVLS_ENABLE=0"),
        "NVLS/Simple: not considered, NCCL_NVLS_ENABLE=0 switches NVLS off.");
    assertSays(
        explain("dgx-a100", "--why-not", "algorithm=nvls"),
        "NVLS/Simple: not considered, NVLS takes GPUs of sm 90 or newer, this node has sm 80.");
    assertSays(
        explain("l40s-4", "--why-not", "algorithm=nvls"),
        "NVLS/Simple: not considered, NVLS takes an NVSwitch, this node has none.");
    String h100 = ROOT.resolve("topologies/dgx-h100.xml").toString();
    String a100 = ROOT.resolve("topologies/dgx-a100.xml").toString();
    assertSays(
        CliRun.of("explain", "--node", h100, "--node", a100, "--why-not", "algorithm=nvlstree")
            .out(),
        "NVLS takes GPUs of sm 90 or newer, node 1 has sm 80.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tree",
        "speed=1",
        "ring=0,1",
        "ring=a,b",
        "nic=3",
        "nic=9:mlx5_0",
        "nic=0:eth9",
        "channels=x",
        "algorithm=torus"
      })
  void wrongAlternativesAreUsageErrors(String alternative) {
    CliRun run =
        CliRun.of(
            "explain", ROOT.resolve("topologies/dgx-1v.xml").toString(), "--why-not", alternative);
    assertEquals(2, run.status(), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }
}
