package dev.topo.visualizer.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.fixture.EditedMachines;
import dev.topo.simulator.variant.Score.Ranking;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What edits come down to in one sentence. */
class WhatIfSentenceTest {
  private static final List<Call> BOTH =
      EditedMachines.calls("64M,1G", Collective.ALL_REDUCE, Collective.ALL_GATHER);

  private static String sentence(EditedMachines machines, List<Call> calls, String... variants) {
    return WhatIfSentence.of(machines.report(calls, Ranking.BUSBW, variants));
  }

  @Test
  void aLossHasItsAmountAndNoChangeWithinTheRangeOrGainByLess() {
    assertEquals(
        "dgx-h100 x 4 without mlx5_3 on all nodes: AllReduce of 1 GiB stays within its range, 340 (280 to 410) GB/s"
            + " busbw.",
        sentence(EditedMachines.of("dgx-h100", 4), BOTH, "remove net:mlx5_3"));
    String loss =
        sentence(EditedMachines.of("dgx-h100", 4), BOTH, "remove net:mlx5_3 net:mlx5_4 net:mlx5_5");
    assertTrue(loss.contains("AllReduce of 1 GiB 340 → ") && loss.contains(", -"), loss);
  }

  @Test
  void theEditedNodesAreCounted() {
    EditedMachines some = EditedMachines.of("dgx-h100", 4).editing(1);
    String edited = sentence(some, BOTH, "remove net:mlx5_3 net:mlx5_4");
    assertTrue(
        edited.startsWith("dgx-h100 x 4 without mlx5_3, mlx5_4 on 1 of 4 nodes: AllReduce"),
        edited);
    String settings = sentence(some, BOTH, "env NCCL_ALGO=Ring");
    assertTrue(
        settings.startsWith("dgx-h100 x 4 with NCCL_ALGO=Ring: AllReduce of 1 GiB stays at "),
        settings);
  }

  @Test
  void callsThatFailComeFirst() {
    EditedMachines machines = EditedMachines.of("dgx-h100", 3);
    String first = "dgx-h100 x 3 with NCCL_ALGO=Tree: AllGather fails, as NCCL refuses it";
    String sentence = sentence(machines, BOTH, "env NCCL_ALGO=Tree");
    assertTrue(
        sentence.startsWith(first + "; AllReduce of 1 GiB stays within its range, 340 "), sentence);
    List<Call> one = EditedMachines.calls("64M", Collective.ALL_GATHER);
    assertEquals(first + ".", sentence(machines, one, "env NCCL_ALGO=Tree"));
    String best = sentence(machines, BOTH, "env NCCL_ALGO=Tree", "env NCCL_ALGO=Ring");
    assertTrue(!best.contains("fail"), best);
  }

  @Test
  void edgesWithoutAChangeSayWhy() {
    EditedMachines one = EditedMachines.of("dgx-h100", 1);
    assertEquals(
        "dgx-h100 without mlx5_3: none of 4 calls (2 sizes, 64 MiB to 1 GiB) changes, as a job of one node uses no"
            + " network port (--nodes 2 has two nodes).",
        sentence(one, BOTH, "remove net:mlx5_3"));
    String equal = sentence(EditedMachines.of("dgx-h100", 2), BOTH, "net:*.latency=0");
    assertTrue(equal.contains("stays at ") && equal.contains(", limited by "), equal);
  }

  @Test
  void theBestOfSeveralVariantsIsNamed() {
    String best =
        sentence(
            EditedMachines.of("hgx-a100-1nic", 2),
            BOTH,
            "add net:mlx5_1 to switch:0000:18:00.0",
            "net:mlx5_0.speed=100000");
    assertTrue(
        best.startsWith(
            "Best of 2 variants of hgx-a100-1nic x 2 is “add net:mlx5_1 to switch:0000:18:00.0”:"
                + " AllReduce of 1 GiB 24 → 47 (40 to 56) GB/s busbw, +99 %"),
        best);
    String none =
        sentence(EditedMachines.of("dgx-h100", 2), BOTH, "remove net:mlx5_3", "remove net:mlx5_4");
    assertTrue(none.startsWith("None of 2 variants of dgx-h100 x 2 is better than it is"), none);
  }
}
