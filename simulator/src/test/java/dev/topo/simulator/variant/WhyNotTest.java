package dev.topo.simulator.variant;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.explain.Explanation;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.fixture.TestJobs;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What alternatives to NCCL's choices would be worth. */
class WhyNotTest {
  private static final CollectiveCall CALL = TestJobs.allReduce(64L << 20);

  private static void assertSays(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "'" + part + "' is missing in\n" + text);
    }
  }

  private static String whyNot(String machine, int nodes, String alternative, String... settings) {
    Job job = Job.ofEqual(TestJobs.shipped(machine, settings), nodes);
    return whyNot(job, CALL, alternative);
  }

  private static String whyNot(Job job, CollectiveCall call, String alternative) {
    NcclSettings settings = job.machines().get(0).settings();
    Communicator communicator = Communicator.of(job, SharedGraphs.GRAPHS, NcclProfile.DEFAULT);
    Explanation answer =
        new WhyNot(
                new JobEvaluator(SharedGraphs.GRAPHS, new Inputs()),
                communicator,
                call,
                settings,
                ReleaseRules.DEFAULT,
                profile -> JobRequest.of(job, profile, List.of()))
            .answer(alternative);
    return answer.topic() + "\n  " + String.join("\n  ", answer.sentences());
  }

  /** NVIDIA/nccl#300: it did not pick the ring that I think is best. */
  @Test
  void saysWhatAnotherRingWouldCarry() {
    assertSays(
        whyNot("dgx-1v", 1, "ring=0,1,2,3,7,6,5,4"),
        "Its farthest hop is NVL (1)",
        "All rings in this order together carry at most 20 GB/s inside the node, limited by NVL GPU"
            + " 0 to GPU 1; NCCL's 6 rings carry 120 GB/s.");
    assertSays(
        whyNot("dgx-1v", 1, "ring=0,5,1,4,2,7,3,6"),
        "Its farthest hop is NVB (2)",
        "NCCL's rings keep within NVL (1)");
  }

  /** NVIDIA/nccl#1899: why a graph with PXN and not one with crossNic? */
  @Test
  void weighsPxnAgainstCrossNic() {
    assertSays(
        whyNot("hgx-h200-4nic", 2, "crossNic=1"),
        "why not crossNic=1",
        "With NCCL_CROSS_NIC=1, AllReduce of ",
        "crossNic 0 becomes");
    assertSays(
        whyNot("pcie-6-uneven", 2, "crossNic=1"), "ring graph: ", "in NCCL's model, unchanged");
  }

  @Test
  void triesSettings() {
    assertSays(
        whyNot("hgx-h100-dualport", 2, "NCCL_NET_MERGE_LEVEL=PIX"),
        "With NCCL_NET_MERGE_LEVEL=PIX, AllReduce of ",
        "  ports: mlx5_0 mlx5_1 ",
        " becomes mlx5_0+mlx5_1 mlx5_2+mlx5_3 ",
        "ring graph: 16 x 24 GB/s inside, 24 GB/s outside, NVL/PIX, crossNic 2 becomes 8 x 48"
            + " GB/s");
    assertSays(whyNot("dgx-1v", 1, "NCCL_NVB_DISABLE=1"), "With NCCL_NVB_DISABLE=1, AllReduce of ");
  }

  /** The first sentence is that of the headline. */
  @Test
  void theFirstSentenceIsTheAnswer() {
    assertSays(
        whyNot("dgx-h100", 2, "channels=32"),
        "why not channels=32\n"
            + "  With NCCL_MAX_NCHANNELS=32 NCCL_MIN_NCHANNELS=32, AllReduce of 64 MiB runs by"
            + " NVLSTree/Simple with ",
        " us in NCCL's model, unchanged; 32 channels instead of 16.\n");
    assertSays(
        whyNot("dgx-h100", 1, "NCCL_NVLS_ENABLE=0"),
        "With NCCL_NVLS_ENABLE=0, AllReduce of 64 MiB runs by Ring/Simple with ",
        " us instead of NVLS/Simple with ",
        " in NCCL's model).\n");
  }

  /** NVIDIA/nccl#1313, #1114, #1697, #2193: what would it be without PXN? */
  @Test
  void saysWhatPxnIsWorth() {
    assertSays(whyNot("dgx-1v", 2, "pxn=0"), "With NCCL_PXN_DISABLE=1, AllReduce of ");
  }

  @Test
  void saysWhatAnotherPortWouldBe() {
    assertSays(
        whyNot("dgx-1v", 1, "nic=3:mlx5_3"),
        "why not mlx5_3 for GPU 3",
        "GDR off (SYS (9)",
        "Its first port is mlx5_1: GDR on");
  }

  @Test
  void saysWhatAnotherPairWouldTake() {
    assertSays(
        whyNot("dgx-h100", 4, "algorithm=tree,protocol=ll128"),
        "Tree/LL128: 822 us on 16 channels, 76 % more than NVLSTree/Simple with 466 us.");
    assertSays(
        whyNot("dgx-h100", 4, "algorithm=nvls"),
        "\n  NVLS/Simple: not considered, over several nodes it needs in-network reduction",
        "NVLSTree does not.\n  NVLS/LL: not considered, ");
  }

  @Test
  void aProtocolIsAnsweredForEveryAlgorithmThatCanCarryIt() {
    assertSays(
        whyNot("dgx-h100", 1, "protocol=ll128"),
        "why not LL128 for AllReduce of 64 MiB\n  Ring/LL128: ",
        "\n  Tree/LL128: ",
        " more than NVLS/Simple with ",
        "Not considered: NVLS/LL128 (NCCL has NVLS with Simple only).");
    assertSays(
        whyNot(
            Job.ofEqual(TestJobs.shipped("dgx-h100"), 1),
            CollectiveCall.of(Collective.BROADCAST, 64L << 20),
            "protocol=ll128"),
        "Ring/LL128: ",
        "Tree/LL128, CollNetDirect/LL128, CollNetChain/LL128, NVLS/LL128, NVLSTree/LL128 (NCCL runs"
            + " Broadcast on rings only).");
  }

  @Test
  void saysWhatIsMissingForNvls() {
    Machine oneGpu =
        new Machine(
            new TopologyReader()
                .read(
                    TestJobs.ROOT.resolve("topologies/dgx-h100.xml"),
                    GpuSelection.of(Set.of(0)),
                    new Diagnostics()),
            NcclSettings.DEFAULTS);
    assertSays(
        whyNot(Job.ofEqual(oneGpu, 2), CALL, "algorithm=nvlstree"),
        "NVLSTree/Simple: not considered, NVLS needs two or more GPUs of the job on a node, each"
            + " node here has one.");
    assertSays(
        whyNot("dgx-h100", 1, "algorithm=nvls", "NCCL_NVLS_ENABLE=0"),
        "NVLS/Simple: not considered, NCCL_NVLS_ENABLE=0 switches NVLS off.");
    assertSays(
        whyNot("dgx-a100", 1, "algorithm=nvls"),
        "NVLS/Simple: not considered, NVLS needs GPUs of sm 90 or newer, this node has sm 80.");
    assertSays(
        whyNot("l40s-4", 1, "algorithm=nvls"),
        "NVLS/Simple: not considered, NVLS needs an NVSwitch, this node has none.");
    Job mixed = new Job(List.of(TestJobs.shipped("dgx-h100"), TestJobs.shipped("dgx-a100")));
    assertSays(
        whyNot(mixed, CALL, "algorithm=nvlstree"),
        "NVLS needs GPUs of sm 90 or newer, node 1 has sm 80.");
  }
}
