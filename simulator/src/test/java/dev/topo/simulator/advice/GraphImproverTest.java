package dev.topo.simulator.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.advice.BetterGraph.CallGain;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GraphImproverTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  private static final List<CollectiveCall> CALLS =
      Stream.of(1L << 20, 1L << 26, 1L << 30)
          .map(bytes -> CollectiveCall.of(Collective.ALL_REDUCE, bytes))
          .toList();

  @TempDir private Path folder;

  private static JobRequest request(String file, int nodes, String... settings) {
    Machine machine =
        new Machine(
            new TopologyReader().read(ROOT.resolve(file), GpuSelection.ALL, new Diagnostics()),
            NcclSettings.parse(List.of(settings)));
    return JobRequest.of(Job.ofEqual(machine, nodes), CALLS);
  }

  private static GraphAnswer improve(JobRequest request) {
    return new GraphImprover(new JobEvaluator()).improve(request);
  }

  /**
   * Of the four GPUs declared as a chain NCCL makes rings that pass two of three links twice; the
   * actual NVSwitch has no such links.
   */
  @Test
  void ofADeclaredChainTheActualLinksCount() throws IOException {
    String measured = "src/test/resources/measured/";
    String declared = "NCCL_TOPO_FILE=" + ROOT.resolve(measured + "declared-chain.topo.xml");
    String[] settings = {declared, "NCCL_NVLS_ENABLE=0"};
    BetterGraph better =
        assertInstanceOf(
            BetterGraph.class, improve(request(measured + "h200-x4.topo.xml", 1, settings)));
    assertEquals(0.5, better.before().ring(), 1e-9);
    assertEquals(1, better.after().ring(), 1e-9);
    assertTrue(better.after().proven());
    assertFalse(better.sameOrders());
    assertTrue(better.calls().stream().allMatch(call -> call.gainPercent() > 50));

    Path file = Files.writeString(folder.resolve("graph.xml"), better.file());
    JobResult fedBack =
        new JobEvaluator()
            .evaluate(
                request(
                    measured + "h200-x4.topo.xml",
                    1,
                    declared,
                    "NCCL_NVLS_ENABLE=0",
                    "NCCL_GRAPH_FILE=" + file));
    assertEquals(better.channelsAfter(), fedBack.connection().nChannels());
    for (CallGain call : better.calls()) {
      assertEquals(
          call.afterUs(), fedBack.predictions().get(call.call()).timeUs(), 1e-4 * call.afterUs());
    }
  }

  /** A file for several nodes has ports, and NCCL searches for what it leaves out. */
  @Test
  void aFileForSeveralNodesNamesPorts() throws IOException {
    String machine = "topologies/l40s-8-switched.xml";
    BetterGraph better = assertInstanceOf(BetterGraph.class, improve(request(machine, 2)));
    List<Channel> rings = new ArrayList<>(better.graphs().get(GraphKind.RING).channels());
    assertTrue(rings.stream().allMatch(ring -> ring.nets().isPresent()));
    assertFalse(better.file().contains("nchannels=\"0\""), better.file());
    Path file = Files.writeString(folder.resolve("graph.xml"), better.file());
    JobResult fedBack = new JobEvaluator().evaluate(request(machine, 2, "NCCL_GRAPH_FILE=" + file));
    assertEquals(rings, fedBack.connection().searchedGraphs(0).get(GraphKind.RING).channels());
  }

  @Test
  void wherePredictionsOnlyFollowTheFileThereIsTheLinkModelOnly() {
    GraphAnswer.None none =
        assertInstanceOf(GraphAnswer.None.class, improve(request("topologies/ac922-6.xml", 1)));
    assertEquals(
        "no calibration fits the machine, and NCCL's own model follows the file", none.reason());
    assertEquals(50.0 / 64, none.share().orElseThrow().tree(), 0.01);
  }

  /** Rings behind an NVSwitch use all of its links in any order. */
  @Test
  void whereMoreChannelsAreEnoughTheSettingIsNamed() {
    GraphAnswer.None none =
        assertInstanceOf(GraphAnswer.None.class, improve(request("topologies/gb200-tray.xml", 1)));
    assertEquals(
        "the graphs of NCCL's search are as fast on as many channels (NCCL_MIN_NCHANNELS=64)",
        none.reason());
    assertEquals(1, none.share().orElseThrow().ring(), 1e-3);
  }

  /** Two GPUs have one ring, and a chain of two is a ring: nothing is left of the links. */
  @Test
  void whereTheBoundIsReachedThereIsAProof() {
    JobRequest request = request("topologies/rtx4090-2.xml", 1, "NCCL_MAX_NCHANNELS=2");
    GraphAnswer.None none = assertInstanceOf(GraphAnswer.None.class, improve(request));
    assertTrue(none.share().orElseThrow().isReached());
    assertTrue(none.share().orElseThrow().proven());
    assertEquals(
        "the rings and trees of NCCL's search reach the bound of these links", none.reason());
  }

  @Test
  void oneFileDoesNotFitUnequalMachines() {
    Machine one = request("topologies/gb200-tray.xml", 1).job().machines().get(0);
    Machine other = request("topologies/l40s-4.xml", 1).job().machines().get(0);
    GraphAnswer answer = improve(JobRequest.of(new Job(List.of(one, other)), CALLS));
    assertEquals(
        new GraphAnswer.None(
            "one graph file fits equal nodes only, which the job does not have", Optional.empty()),
        answer);
  }
}
