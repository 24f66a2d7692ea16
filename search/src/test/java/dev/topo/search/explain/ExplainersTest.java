package dev.topo.search.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.LinkType;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.explain.ExplainedBound.CutLink;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.tuning.Communicator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers to questions that users of NCCL have asked in public. */
class ExplainersTest {
  @TempDir private Path folder;

  private static void assertSays(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "'" + part + "' is missing in\n" + text);
    }
  }

  private static String graph(String machine, int nodes, GraphKind kind) {
    return ExplainedJob.text(ExplainedJob.of(machine, nodes).graph(kind));
  }

  private static String choice(String machine, int nodes, Collective collective, long bytes) {
    CollectiveCall call = CollectiveCall.of(collective, bytes);
    ExplainedJob job = ExplainedJob.of(machine, nodes);
    return ExplainedJob.text(new ChoiceExplainer(job.communicator()).explain(call));
  }

  @Test
  void saysByWhichNicRanksSendAndWhy() {
    assertSays(
        ExplainedJob.of("dgx-h100", 2).nics(),
        "(PXN); NCCL_P2P_PXN_LEVEL=0 turns that off.",
        "local ranks 0-7: to GPU 0 by mlx5_0, driven by GPU 0; to GPU 1 by mlx5_1, driven by GPU 1;");
    assertSays(
        ExplainedJob.of("dgx-h100", 2, "NCCL_P2P_PXN_LEVEL=0").nics(),
        "NCCL_P2P_PXN_LEVEL=0: each GPU uses its own NIC.",
        "local rank 3: to GPUs 0-7 by mlx5_3, driven by GPU 3.");
    assertSays(ExplainedJob.of("dgx-h100", 1).nics(), "The job is one node: no send takes a NIC.");
  }

  /** NVIDIA/nccl#439: one ring instead of two because both ports hang off one PCI link. */
  @Test
  void namesTheLinkThatPortsShare() {
    assertSays(
        graph("hgx-h100-dualport", 2, GraphKind.RING),
        "16 channels with pattern RING, each 24 GB/s",
        "The fullest link is PCI GPU 0 to PCI 0-10000: the channels take 48 GB/s of its 48 GB/s (100 %)");
  }

  @Test
  void namesTheCutThatBoundsAGraph() {
    assertSays(
        graph("dgx-h100", 1, GraphKind.RING),
        "The cut that bounds this graph: NVL GPU 0 to NVS 0-0, 360 of 370.8 GB/s.");
    assertSays(
        graph("dgx-h100", 1, GraphKind.NVLS),
        "The cut that bounds this graph: NVL GPU 0 to NVS 0-0, 320 of 329.6 GB/s.");
    assertSays(
        graph("dgx-1v", 1, GraphKind.RING),
        "The cut that bounds this graph: NVL GPU 0 to GPU 1 and 3 other links, 120 of 120 GB/s.");
    assertSays(
        graph("l40s-4", 2, GraphKind.RING),
        "The cut that bounds this graph: NET NIC 0-40000 to mlx5_0, 12 of 12.5 GB/s.");
  }

  @Test
  void aGraphThatWasFoundHasABound() {
    ExplainedJob job = ExplainedJob.of("l40s-4", 1);
    ExplainedBound bound = job.graph(GraphKind.RING).bound().orElseThrow();
    assertEquals(16, bound.bandwidthGBps());
    assertEquals(15, bound.usedGBps());
    assertEquals(new CutLink("CPU 0-0", "CPU 0-1", LinkType.SYS, 16), bound.cut().get(0));
    assertEquals(2, bound.cut().size());
    assertEquals(
        Optional.empty(),
        job.graph(GraphKind.COLLNET_CHAIN).bound(),
        "there is no CollNet graph to bound");
  }

  /** NVIDIA/nccl#713, #524, #1072, #1633: where does the number of channels come from? */
  @Test
  void countsTheChannelsStepByStep() {
    assertSays(
        ExplainedJob.of("dgx-h100", 1).channels(),
        "The search finds 12 rings on a node: 6 that are fast enough for two channels each, so they are doubled at half the bandwidth",
        "24 channels: every ring and tree that all nodes have is laid twice");
    assertSays(
        ExplainedJob.of("dgx-h100", 1, "NCCL_MAX_NCHANNELS=8").channels(),
        "8 channels: the most that NCCL_MAX_NCHANNELS or NCCL_MAX_CTAS allow");
  }

  /** NVIDIA/nccl#1899: why a graph with PXN and not one with crossNic? */
  @Test
  void saysHowFarARingGoesToTheNetwork() {
    assertSays(
        graph("hgx-h200-4nic", 2, GraphKind.RING),
        "PIX (4) to the network, channels free to differ");
  }

  /** NVIDIA/nccl#1313, #1114, #1697, #2193: is PXN on? */
  @Test
  void saysWherePxnIsOn() {
    assertSays(
        ExplainedJob.of("dgx-1v", 2).devices(),
        "GPU 0 to mlx5_1: GDR on (PIX (4), within the limit PXB (5)); PXN through the GPU that drives it (direct it would be PHB (8))",
        "GPU 0 to mlx5_3: GDR off",
        "no PXN, no NVLink leads straight to the GPU that drives the port");
    assertSays(
        ExplainedJob.of("dgx-1v", 2, "NCCL_PXN_DISABLE=1").devices(),
        "PXN off (NCCL_PXN_DISABLE=1)");
  }

  /** With PXN both GPUs prefer the faster port; GPU 0 still relays to the other one. */
  @Test
  void aGpuMayRelayToAPortThatItDoesNotPrefer() {
    Path file =
        Path.of(System.getProperty("topo.root"), "src/test/resources/lint/machine-net-value.xml");
    ExplainedJob job = ExplainedJob.of(file, 1, NcclProfile.DEFAULT);
    assertSays(
        job.devices(), "GPU 1 to mlx5_0: GDR on (PIX (4), within the limit PXB (5)); PXN through");
    DeviceExplainer devices = new DeviceExplainer(job.domain(), job.settings());
    assertSays(
        ExplainedJob.text(
            new Alternatives(job.communicator(), Communicator::of).port(devices, 1, "mlx5_0")),
        "PXN through GPU 0 (direct it would be SYS (9))");
  }

  /** NVIDIA/nccl#1151: the log says "distance 8 &gt; 5"; what is 8? */
  @Test
  void namesDistancesWithTheNumbersOfTheLog() {
    assertSays(
        ExplainedJob.of("l40s-4", 1).devices(),
        "GPU 0 to mlx5_0: GDR off (PHB (8), farther than the limit PXB (5); NCCL_NET_GDR_LEVEL=PHB would allow it)",
        "0 LOC, 1 NVL, 2 NVB, 3 C2C, 4 PIX, 5 PXB, 6 P2C, 7 PXN, 8 PHB, 9 SYS, 10 NET, 11 DIS");
    Path file = Path.of(System.getProperty("topo.root"), "topologies/l40s-4.xml");
    assertSays(
        ExplainedJob.of(file, 2, NcclProfile.of("2.21.5")).devices(), // without C2C and P2C
        "GPU 0 to mlx5_0: GDR off (PHB (6), farther than the limit PXB (4); NCCL_NET_GDR_LEVEL=PHB would allow it)");
  }

  /**
   * A file of two hosts that NVLink joins: no level that NCCL reads brings a GPU to a port there.
   */
  @Test
  void advisesNoLevelWhereNoWayLeadsToThePort() throws IOException {
    Path file = Files.writeString(folder.resolve("two-hosts.xml"), twoHosts());
    String text = ExplainedJob.of(file, 1, NcclProfile.DEFAULT).devices();
    assertSays(
        text,
        "GPU 0-0 to 1-mlx5_1: GDR off (DIS (11), there is no path from the GPU to the port; no NCCL_NET_GDR_LEVEL changes that,"
            + " the farthest is SYS); no PXN, the GPU that drives the port is on another host.");
    assertFalse(text.contains("NCCL_NET_GDR_LEVEL=DIS"), text);
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
        choice("dgx-h100", 4, Collective.ALL_REDUCE, 64L << 20),
        "NCCL runs NVLSTree with Simple on 16 channels of 640 threads, because its own model has the shortest time for it, 466 us.",
        "Ring/LL128: 587 us, from a latency of 144 us and 152 GB/s algbw, 26 % more",
        "Not considered: NVLS/Simple (over several nodes it needs in-network reduction; NVLSTree does not).",
        "PAT/LL, PAT/LL128, PAT/Simple (NCCL has PAT for AllGather and ReduceScatter only)");
    assertSays(
        choice("rtx4090-2", 1, Collective.ALL_REDUCE, 64L << 20),
        "Ring/LL128 (LL128 is only safe where 128 bytes arrive in one piece: up to NVB between GPUs and PXB to the network; this graph goes up to");
  }
}
