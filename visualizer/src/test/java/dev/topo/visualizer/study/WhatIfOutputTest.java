package dev.topo.visualizer.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.fixture.EditedMachines;
import dev.topo.simulator.variant.Score.Ranking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is written of a job before and after edits. */
class WhatIfOutputTest {
  private static final List<Call> ALL_REDUCES = allReduces("64K,1M,64M,1G");

  private static List<Call> allReduces(String sizes) {
    return EditedMachines.calls(sizes, Collective.ALL_REDUCE);
  }

  private static List<Call> all(String sizes) {
    return EditedMachines.calls(sizes, Collective.values());
  }

  private static String text(EditedMachines machines, List<Call> calls, String... variants) {
    return text(machines, calls, true, variants);
  }

  private static String text(
      EditedMachines machines, List<Call> calls, boolean verbose, String... variants) {
    StringBuilder text = new StringBuilder();
    try {
      WhatIfOutput.of(machines.report(calls, Ranking.BUSBW, variants), verbose).writeTo(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static EditedMachines h100(int nodes, String... settings) {
    return EditedMachines.of("dgx-h100", nodes, settings);
  }

  @Test
  void eachSourceOfBusbwHasALineOfItsOwn() {
    String text = text(h100(1), ALL_REDUCES, "gpu:0.sm=100");
    assertTrue(text.contains("  two models  NVLS/Simple, 16 channels\n"), text);
    assertTrue(text.contains("\nrests on: NCCL's own model for NVLS, Ring"), text);
    assertTrue(text.contains("\nrests on: published measurements of NVLS"), text);
    assertTrue(text.contains("\nrests on: constants fitted to times of such machines"), text);
  }

  @Test
  void aJobOfFewerRanksIsSaidToBeOne() {
    String text = text(h100(1), all("1M"), "remove gpu:3");
    assertTrue(text.startsWith("dgx-h100: 8 ranks on 1 node\n"), text);
    assertTrue(text.contains("\nwhat if remove gpu:3 (7 ranks on 1 node)\n\ncall "), text);
  }

  @Test
  void oneVariantAndSeveralHaveTheReasonOfAGain() {
    List<Call> calls = EditedMachines.calls("256M", Collective.ALL_GATHER);
    EditedMachines machines = EditedMachines.of("l40s-8-switched", 2);
    String edit = "net:*.speed=100000";
    String reason = " is faster as NCCL uses 4 channels instead of 2 by rules of its own: it finds";
    assertTrue(text(machines, calls, edit).contains(reason));
    assertTrue(text(machines, calls, edit, edit + "; net:*.latency=1").contains(reason));
    assertFalse(text(machines, calls, "net:*.latency=1").contains(" is faster as "));
  }

  @Test
  void callsThatNcclRefusesAreNotAsBefore() {
    List<Call> calls = EditedMachines.calls("1M", Collective.ALL_REDUCE, Collective.BROADCAST);
    String text = text(h100(2, "NCCL_ALGO=Tree"), calls, "remove net:mlx5_0");
    assertTrue(text.contains("\nNCCL refuses the call: no algorithm and protocol can run"), text);
    assertTrue(text.contains("\nno time before and after: Broadcast of 1 MiB\n"), text);
    assertFalse(text.contains("as before: all"), text);
  }

  @Test
  void sendsAndReceivesHaveTheirProtocolAndTheirSource() {
    List<Call> calls = List.of(Call.of(PeerOperation.ALLTOALL, 1L << 30));
    String text = text(h100(2), calls, "remove net:mlx5_3");
    assertTrue(text.lines().anyMatch(line -> line.matches("AlltoAll +1 GiB .* Simple, .*")), text);
    assertTrue(
        text.contains("\nrests on: a model of the network fitted to published runs, for AlltoAll"),
        text);
  }

  @Test
  void callsWhoseTimesAreNotKnownAreNotAsBefore() {
    List<Call> calls = List.of(Call.of(PeerOperation.ALLTOALL, 1L << 20));
    String text = text(EditedMachines.of("dgx-1v", 1), calls, "remove nvlink:0-1");
    assertTrue(text.contains("\nno time: no calibration fits this machine"), text);
    assertTrue(text.contains("\nno time before and after: AlltoAll of 1 MiB\n"), text);
    assertFalse(text.contains("as before: "), text);
  }

  @Test
  void numbersOfTwoModelsAreNotHeldAgainstEachOther() {
    String text = text(h100(1), allReduces("1M"), "nvlink:3.count=9");
    assertTrue(text.lines().anyMatch(line -> line.matches("AllReduce .* [+-][0-9.]+ % .*")), text);
    assertFalse(text.contains("two models"), text);
    assertTrue(text.contains("rests on: published measurements of NVLS"), text);
    assertFalse(text.contains("NCCL's own model"), text);
    List<Call> gather = EditedMachines.calls("1G", Collective.ALL_GATHER);
    String nvls = text(h100(1), gather, "env NCCL_ALGO=NVLS");
    assertTrue(nvls.contains("two models"), nvls);
  }

  @Test
  void verboseShowsAllCalls() {
    EditedMachines machines = h100(2);
    List<Call> calls = all("64K,1M,64M,1G");
    String brief = text(machines, calls, false, "remove net:mlx5_3");
    assertTrue(brief.contains("within 2 %"), brief);
    assertTrue(brief.lines().count() <= 25, brief);
    String all = text(machines, calls, true, "remove net:mlx5_3");
    assertEquals(20, all.lines().filter(line -> line.matches(".* channels?")).count(), all);
  }

  @Test
  void footnotesNameWhatIsShownOnly() {
    EditedMachines machines = EditedMachines.of("l40s-4", 2);
    String shown = text(machines, allReduces("1M,1G"), "cpu:* as intel-sapphire-rapids");
    assertTrue(shown.contains("\nrests on: a model of the network"), shown);
    String none = text(machines, all("64K,1M,64M,1G"), false, "cpu:*.familyid=25");
    assertTrue(none.startsWith("as before: all 20 calls\n"), none);
    assertTrue(none.contains("\nrests on: a model of the network"), none);
    assertFalse(none.contains("*"), none);
  }
}
