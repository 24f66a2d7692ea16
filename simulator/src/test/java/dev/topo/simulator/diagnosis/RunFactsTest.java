package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.CountedText;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunFactsTest {
  private static RunFacts facts(String... lines) {
    return RunFacts.of(List.of(new RunText("run.log", String.join("\n", lines))), () -> {});
  }

  @Test
  void ranksNodesAndGpusOfNcclTests() {
    RunFacts facts =
        facts(
            "#  Rank  0 Group  0 Pid 10765 on       vm0 device  0 [0000:00:06] NVIDIA H200",
            "#  Rank  1 Group  0 Pid 10766 on       vm1 device  0 [0000:00:06] NVIDIA H200");
    assertEquals(OptionalInt.of(2), facts.ranks());
    assertEquals(OptionalInt.of(2), facts.nodes());
    assertEquals(Set.of("NVIDIA H200"), facts.gpuNames());
    assertEquals(Set.of(), facts.logs());
  }

  @Test
  void settingsOfTheLogAndOfCommandLines() {
    RunFacts facts =
        facts(
            "mpirun -np 16 -x NCCL_ALGO=Tree -x NCCL_IB_HCA=mlx5_0,mlx5_1 ./all_reduce_perf -n 10",
            "export NCCL_NET=Socket",
            "h:1:2 [0] NCCL INFO NCCL_MAX_NCHANNELS set by environment to 2.");
    assertEquals("Tree", facts.settings().get("NCCL_ALGO").value(1));
    assertEquals("mlx5_0,mlx5_1", facts.settings().get("NCCL_IB_HCA").value(1));
    assertEquals("Socket", facts.settings().get("NCCL_NET").value(1));
    assertEquals("2", facts.settings().get("NCCL_MAX_NCHANNELS").value(1));
    assertEquals("run.log:3", facts.settings().get("NCCL_MAX_NCHANNELS").place());
    assertEquals(OptionalInt.of(16), facts.ranks());
  }

  @Test
  void portsAndConnections() {
    RunFacts facts =
        facts(
            "h:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB/SHARP [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>",
            "h:1:2 [0] NCCL INFO comm 0x55 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0",
            "h:1:2 [0] NCCL INFO Channel 00/0 : 15[7] -> 0[0] [receive] via NET/AWS Libfabric/0/GDRDMA");
    assertEquals(Set.of("mlx5_0", "mlx5_1"), facts.ports());
    assertEquals("NET/AWS Libfabric/0/GDRDMA", facts.first(LineKind.PEER).orElseThrow().value(2));
    assertEquals(OptionalInt.of(2), facts.nodes());
    assertEquals(Set.of("run.log"), facts.logs());
  }

  /** A log of many ranks has 100,000 lines: each is searched for all kinds of lines. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "h:1:2 [0] NCCL INFO Channel 00/0 : 15[7] -> 0[0] [receive] via NET/IB/0/GDRDMA",
        "h:1:2 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 1 'mlx5_1' (no module)",
        "h:1:2 [0] NCCL INFO NET/Plugin: Could not find: libnccl-net.so",
        "h:1:2 [0] NCCL WARN NET/IB : Got completion with status=12 opcode=0 vendor err 129"
      })
  void aKindOfLineReadsAboutTheCharactersOfALine(String line) {
    CountedText text = new CountedText(line);
    for (LineKind kind : LineKind.values()) {
      kind.pattern().matcher(text).find();
    }
    long kinds = LineKind.values().length;
    assertTrue(text.reads() <= 1.2 * kinds * line.length(), text.reads() + " characters");
  }

  @Test
  void logsAreToldFromOtherTextsByName() {
    RunText log = new RunText("a:1", "h:1:2 [0] NCCL INFO Using network IB");
    RunFacts facts = RunFacts.of(List.of(new RunText("a", "Using what?"), log), () -> {});
    assertEquals(Set.of("a:1"), facts.logs());
  }
}
