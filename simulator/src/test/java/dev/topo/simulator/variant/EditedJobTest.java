package dev.topo.simulator.variant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.edit.EditParser;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.fixture.EditedMachines;
import dev.topo.simulator.fixture.TestJobs;
import dev.topo.simulator.variant.PathComparison.PathChange;
import dev.topo.simulator.variant.Score.Ranking;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What edits of machines make of jobs, among others questions that users have asked. */
class EditedJobTest {
  private static final CollectiveCall LARGE = TestJobs.allReduce(1L << 30);

  private static double ring(WhatIfOutcome outcome) {
    return outcome.bandwidthGBps(GraphKind.RING);
  }

  private static int ringChannels(WhatIfOutcome outcome) {
    return outcome.graph(GraphKind.RING).nChannels();
  }

  /** NVIDIA/nccl#1303: what topology files of a virtual machine make of dual-port cards. */
  @Test
  void aPortAsFastAsItsSlotLeavesTheOtherIdle() throws IOException {
    EditedMachines machines =
        EditedMachines.of("hgx-h100-dualport", 2).given("net:*.link_speed=16.0 GT/s PCIe");
    String edits = Files.readString(TestJobs.ROOT.resolve("examples/h100-vm.edits"));
    String[] variants =
        EditParser.parseVariants(edits, "edits").stream()
            .map(set -> set.text())
            .toArray(String[]::new);
    WhatIfReport report = machines.report(List.of(LARGE), Ranking.BUSBW, variants);
    WhatIfOutcome half = report.variants().get(0).outcome().orElseThrow();
    WhatIfOutcome noGdr = report.variants().get(1).outcome().orElseThrow();
    assertEquals(8, ringChannels(report.before()));
    assertEquals(16, ringChannels(half));
    assertEquals(192, ring(report.before()));
    assertEquals(192, ring(half));
    assertTrue(ring(noGdr) < 192);
    assertEquals(4, report.places().get(report.ranked().indexOf(noGdr)));
    PathChange first = PathComparison.compare(report.before(), noGdr).changes().get(0);
    assertTrue(first.before().orElseThrow().gdr());
    assertFalse(first.after().orElseThrow().gdr());
  }

  /** NVIDIA/nccl#439: one ring instead of two, 24 GB/s instead of 48. */
  @Test
  void twoCardsBehindOneLinkAreOneRing() {
    Path file = TestJobs.ROOT.resolve("topologies/dgx-a100.xml");
    EditedMachines machines =
        EditedMachines.of(file, 2, GpuSelection.of(Set.of(2, 3)))
            .given(
                "remove net:mlx5_0 net:mlx5_1 net:mlx5_4 net:mlx5_5 net:mlx5_6 net:mlx5_7\n"
                    + "add switch:0000:f0:00.0 to switch:0000:20:00.0");
    WhatIfOutcome before = machines.before();
    WhatIfOutcome after = machines.after("move net:mlx5_2 net:mlx5_3 to switch:0000:f0:00.0");
    assertEquals(2, ringChannels(before));
    assertEquals(48, ring(before));
    assertEquals(1, ringChannels(after));
    assertEquals(24, ring(after));
  }

  /** NVIDIA/nccl#412: what more NICs bring, before they are bought. */
  @Test
  void cardsAddUpWithNvlinkAndNotWithout() {
    EditedMachines nvlink = EditedMachines.of("hgx-a100-1nic", 2);
    assertEquals(24, ring(nvlink.before()));
    assertEquals(
        96,
        ring(
            nvlink.after(
                "add net:mlx5_1 to switch:0000:18:00.0; add net:mlx5_2 to switch:0000:20:00.0;"
                    + " add net:mlx5_3 to switch:0000:28:00.0")));
    EditedMachines pci = EditedMachines.of("l40s-8-switched", 2);
    assertEquals(
        ring(pci.before()),
        ring(
            pci.after(
                "add net:mlx5_2 to switch:0000:18:00.0; add net:mlx5_3 to switch:0000:28:00.0")));
  }

  /** NVIDIA/nccl#2441: the family of an AMD CPU means nothing to NCCL. */
  @Test
  void theFamilyOfAnAmdCpuChangesNothing() {
    EditedMachines machines = EditedMachines.of("l40s-4", 2);
    List<Call> calls = EditedMachines.calls("64K,1M,64M,1G", Collective.values());
    WhatIfReport report = machines.report(calls, Ranking.BUSBW, "cpu:*.familyid=25");
    WhatIfOutcome before = report.before();
    WhatIfOutcome after = report.variants().get(0).outcome().orElseThrow();
    assertEquals(List.of(), PathComparison.compare(before, after).changes());
    for (GraphKind kind : GraphKind.values()) {
      assertEquals(before.graph(kind), after.graph(kind));
    }
    for (Call call : calls) {
      assertEquals(before.prediction(call), after.prediction(call));
    }
    assertEquals(List.of(1, 1), report.places());
    WhatIfOutcome other = machines.after("cpu:* as intel-skylake");
    assertFalse(PathComparison.compare(before, other).changes().isEmpty());
  }

  /** Measured on four H200: 157 and 64 GB/s instead of 355. */
  @Test
  void aDeclaredMachineIsTimedOnTheActualOne() {
    EditedMachines machines =
        EditedMachines.of(
            TestJobs.MEASURED.resolve("h200-x4.topo.xml"),
            1,
            GpuSelection.ALL,
            "NCCL_NVLS_ENABLE=0");
    assertEquals(355, busbw(machines.before()), 35.5);
    assertEquals(157, busbw(machines.after(declared("chain"))), 15.7);
    assertEquals(64, busbw(machines.after(declared("pairs2s"))), 6.4);
    assertEquals(
        Optional.of(Source.CALIBRATION),
        machines.after(declared("chain")).prediction(LARGE).map(Prediction::source));
  }

  private static String declared(String name) {
    return "env NCCL_TOPO_FILE=" + TestJobs.MEASURED.resolve("declared-" + name + ".topo.xml");
  }

  private static double busbw(WhatIfOutcome outcome) {
    return outcome.score(LARGE).busbwGBps();
  }

  @Test
  void oneBadNodeCostsTheWholeJob() {
    EditedMachines machines = EditedMachines.of("dgx-h100", 4);
    String edit = "net:mlx5_*.link_width=8";
    double one = ring(machines.editing(1).after(edit));
    assertEquals(ring(machines.after(edit)), one);
    assertTrue(one < ring(machines.before()));
  }

  @Test
  void variantsAreRankedByTheMeasureOfTheRanking() {
    EditedMachines machines = EditedMachines.of("hgx-h100-dualport", 2);
    String slow = "net:*.speed=50000";
    String few = "env NCCL_MAX_NCHANNELS=4";
    WhatIfReport byChannels = machines.report(List.of(LARGE), Ranking.CHANNELS, slow, few);
    assertEquals(few, byChannels.ranked().get(2).name());
    assertEquals(3, byChannels.places().get(2));
    WhatIfReport byBandwidth = machines.report(List.of(LARGE), Ranking.BANDWIDTH, slow, few);
    assertEquals(slow, byBandwidth.ranked().get(2).name());
    assertEquals(3, byBandwidth.places().get(2));
  }

  /** A machine without calibration is timed by NCCL's own model. */
  @Test
  void aMeshOfSm70HasNoCalibration() {
    WhatIfOutcome mesh = EditedMachines.of("dgx-1v", 1).before();
    assertTrue(mesh.calibration().isEmpty());
    assertEquals(Optional.of(Source.NCCL_MODEL), mesh.prediction(LARGE).map(Prediction::source));
  }
}
