package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatedCausesTest {
  private static StatedCauses causes(boolean hasNetwork, String... lines) {
    return new StatedCauses(
        RunFacts.of(List.of(new RunText("nccl.log", String.join("\n", lines))), () -> {}),
        Optional.empty(),
        false,
        hasNetwork);
  }

  private static List<CauseKind> kinds(boolean hasNetwork, String... lines) {
    return causes(hasNetwork, lines).find().stream().map(Stated::kind).toList();
  }

  /** Every rank has the line. */
  @Test
  void theFirstLinesOfAFileThatNoRankCanReadAreEvidence() {
    String line = "h:1:2 [0] NCCL WARN Could not open XML topology file /etc/x.xml";
    Stated cause =
        causes(false, Collections.nCopies(90, line).toArray(String[]::new)).find().get(0);
    assertEquals("NCCL cannot read /etc/x.xml", cause.detail());
    assertEquals(3, cause.evidence().size());
    assertEquals("and 88 more lines", cause.evidence().get(2).text());
  }

  @Test
  void socketsInsideANodeAreNoFault() {
    String line = "h:1:2 [0] NCCL INFO Using network Socket";
    assertEquals(List.of(), kinds(false, line));
    assertEquals(List.of(CauseKind.WRONG_NETWORK), kinds(true, line));
  }

  @Test
  void socketsBesideAnotherNetworkAreNoFault() {
    assertEquals(
        List.of(),
        kinds(
            true,
            "h:1:2 [0] NCCL INFO Using network Socket",
            "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA"));
  }

  @Test
  void settingsThatTakeNothingAreNoCause() {
    StatedCauses causes =
        causes(
            true,
            "h:1:2 [0] NCCL INFO NCCL_P2P_DISABLE set by environment to 0.",
            "h:1:2 [0] NCCL INFO NCCL_CROSS_NIC set by environment to 1.");
    assertEquals(List.of(), causes.find());
    assertEquals(Optional.of("1"), causes.usualSettings().text("NCCL_CROSS_NIC"));
  }

  @Test
  void aSettingAndItsEffectAreOneCause() {
    List<Stated> found =
        causes(
                true,
                "h:1:2 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1.",
                "h:1:2 [0] NCCL INFO Using network Socket")
            .find();
    assertEquals(1, found.size());
    assertEquals(2, found.get(0).evidence().size());
    assertTrue(found.get(0).edits().startsWith("env NCCL_IB_DISABLE="), found.get(0).edits());
  }

  @Test
  void someConnectionsWithoutGpuDirectAreCounted() {
    List<Stated> found =
        causes(
                true,
                "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA",
                "h:1:2 [0] NCCL INFO Channel 01/0 : 0[0] -> 8[0] [send] via NET/IB/1")
            .find();
    assertEquals(CauseKind.NO_GPUDIRECT, found.get(0).kind());
    assertTrue(found.get(0).detail().startsWith("1 of 2 connections"), found.get(0).detail());
  }

  @Test
  void theFileThatNcclTriesByItselfMayBeAbsent() {
    assertEquals(
        List.of(),
        kinds(
            false,
            "h:1:2 [0] NCCL INFO Could not open XML topology file /var/run/nvidia-topologyd/virtualTopology.xml : No such file"));
    assertEquals(
        List.of(CauseKind.WRONG_FILE),
        kinds(
            false, "h:1:2 [0] NCCL INFO Could not open XML graph file /opt/g.xml : No such file"));
  }
}
