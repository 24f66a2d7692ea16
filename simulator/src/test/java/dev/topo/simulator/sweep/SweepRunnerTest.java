package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.Topo;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.OutputException;
import dev.topo.model.operation.Call;
import dev.topo.simulator.fixture.TestJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SweepRunnerTest {
  @TempDir private Path folder;

  private List<ResultRow> rows(Path of) {
    ResultFolder results = ResultFolder.open(of, new Inputs());
    List<ResultRow> rows = new ArrayList<>();
    results.parts().forEach(part -> results.read(part, rows::add));
    return rows;
  }

  @Test
  void theBytesDoNotDependOnThreadsNorOnParts() throws IOException {
    SweepPlan plan = Sweeps.plan(Sweeps.SMALL);
    assertEquals(24, plan.size());
    assertEquals(6, plan.chunks());
    SweepRunner.Done one = Sweeps.run(plan, folder.resolve("one"), Shard.ALL, 1);
    SweepRunner.Done many = Sweeps.run(plan, folder.resolve("many"), Shard.ALL, 3);
    assertEquals(24 * 3, one.rows());
    assertEquals(one, many);
    Map<String, String> expected = Sweeps.bytes(folder.resolve("one"));
    assertEquals(expected, Sweeps.bytes(folder.resolve("many")));

    // As after a kill: a part is missing, and was begun.
    Path resumed = folder.resolve("many");
    ResultFolder there = ResultFolder.open(resumed, new Inputs());
    Files.delete(there.part(2));
    Files.writeString(resumed.resolve(".topo12ab.tmp"), "half");
    assertEquals(12, Sweeps.run(plan, resumed, Shard.ALL, 2).rows());
    assertEquals(expected, Sweeps.bytes(resumed));
    assertEquals(0, Sweeps.run(plan, resumed, Shard.ALL, 2).rows());
  }

  /** A job on one node has the ports that others have for the network, or not: two searches. */
  @Test
  void equalSearchesAreMadeOnce() {
    SweepPlan plan = Sweeps.plan(Sweeps.SMALL);
    assertEquals(6 * 2, Sweeps.run(plan, folder.resolve("a"), Shard.ALL, 2).searches());
    SweepPlan same =
        Sweeps.plan(
            Sweeps.SMALL.replace(
                "slow: 'net:*.speed=100000'", "slow: 'net:*.speed=100000; net:*.speed=400000'"));
    assertEquals(3 * 2, Sweeps.run(same, folder.resolve("b"), Shard.ALL, 2).searches());
  }

  @Test
  void variantsHaveKeysByContentNotByName() {
    SweepPlan plan = Sweeps.plan(Sweeps.SMALL);
    Set<String> keys = new HashSet<>();
    for (long n = 0; n < plan.size(); n++) {
      SweepVariant variant = plan.variant(n);
      assertEquals(n, variant.number());
      assertTrue(keys.add(plan.key(variant)), variant.toString());
    }
    SweepPlan renamed = Sweeps.plan(Sweeps.SMALL.replace("fast:", "quick:"));
    assertEquals(plan.key(plan.variant(3)), renamed.key(renamed.variant(3)));
    assertFalse(plan.hash().equals(renamed.hash()));
    SweepPlan priced = Sweeps.plan(Sweeps.SMALL + "prices: {node: 3}\nlimits: {nics: 2}\n");
    assertEquals(plan.hash(), priced.hash());
  }

  @Test
  void whatHasNoAnswerSaysWhy() {
    SweepPlan plan =
        Sweeps.plan(
            "machines: [hgx-h200-4nic.xml]\nnodes: [1, 2]\ncollectives: all_reduce\nsizes: 1M\n"
                + "axes: {x: {gone: 'remove net:none_9', tree: env NCCL_ALGO=Tree, one: 'remove gpu:1 gpu:2 gpu:3 gpu:4 gpu:5"
                + " gpu:6 gpu:7', refused: env NCCL_ALGO=CollNetChain}}\n");
    assertEquals(5, Sweeps.run(plan, folder.resolve("a"), Shard.ALL, 1).failed());
    List<ResultRow> rows = rows(folder.resolve("a"));
    assertTrue(rows.get(0).outcome().error().contains("net:none_9"), rows.get(0).toString());
    assertTrue(rows.get(2).outcome().timeUs().isPresent());
    assertEquals("one rank has nothing to send", rows.get(4).outcome().error());
    assertTrue(rows.get(5).outcome().timeUs().isPresent());
  }

  /** As by topo predict --split, of the communicator that takes longest. */
  @ParameterizedTest
  @ValueSource(strings = {"MOD 8", "DIV 8", "0-3;4-31"})
  void callsOfASplitTakeAsLongAsInItsSlowestCommunicator(String group) {
    SweepPlan plan =
        Sweeps.plan(
            "machines: [hgx-h200-4nic.xml]\nnodes: 4\ncollectives: [all_reduce, alltoall]\nsizes: 64M\ngroup: '%s'\n"
                    .formatted(group)
                + "workloads: {step: [{collective: all_gather, bytes: 16M, count: 3, group: '%s'}]}\n"
                    .formatted(group));
    Sweeps.run(plan, folder.resolve("a"), Shard.ALL, 1);
    List<ResultRow> rows = rows(folder.resolve("a"));
    List<Topo> communicators =
        Topo.open(TestJobs.ROOT.resolve("topologies").resolve("hgx-h200-4nic.xml"))
            .nodes(4)
            .groups(group);
    List<Call> calls =
        List.of(
            Call.of("all_reduce", "64M"), Call.of("alltoall", "64M"), Call.of("all_gather", "16M"));
    for (int row = 0; row < calls.size(); row++) {
      Call call = calls.get(row);
      double longest =
          communicators.stream().mapToDouble(one -> one.predict(call).timeUs()).max().orElseThrow();
      double time = rows.get(row).outcome().timeUs().orElseThrow();
      assertEquals((row == 2 ? 3 : 1) * longest, time, 0.001 * time, call.title());
      assertEquals(
          !group.equals("DIV 8"),
          rows.get(row).caveats().contains("group " + group + ": groups on the same nodes"),
          rows.get(row).caveats());
    }
  }

  @Test
  void aSplitByARankThatAVariantDoesNotHaveSaysSo() {
    SweepPlan plan =
        Sweeps.plan(
            "machines: [hgx-h200-4nic.xml]\nnodes: [1, 2]\ncollectives: all_reduce\nsizes: 1M\ngroup: 0-3;4-15\n");
    assertEquals(1, Sweeps.run(plan, folder.resolve("a"), Shard.ALL, 1).failed());
    String error = rows(folder.resolve("a")).get(0).outcome().error();
    assertTrue(error.startsWith("group 0-3;4-15: "), error);
  }

  @Test
  void anAxisOfPlacementsHasEveryPlacementOnce() {
    SweepPlan plan =
        Sweeps.plan(
            "machines: [hgx-h200-4nic.xml]\nnodes: 2\ncollectives: all_reduce\nsizes: 1M\n"
                + "axes: {nics: {'4': , '1': 'remove net:mlx5_1 net:mlx5_2 net:mlx5_3'}, place: {placements: all}, speed: {a: , b: 'net:*.speed=100000'}}\n");
    Set<List<String>> designs = new HashSet<>();
    for (long n = 0; n < plan.size(); n++) {
      designs.add(plan.variant(n).design().values());
    }
    assertEquals(plan.size(), designs.size());
    assertTrue(designs.contains(List.of("1", "as it is", "b")), designs::toString);
    assertTrue(plan.designs() > 10, () -> plan.designs() + " designs");
  }

  @Test
  void aFolderOfAnotherSweepIsNotMixed() {
    Sweeps.folder(Sweeps.plan(Sweeps.SMALL), folder.resolve("a"));
    SweepPlan other = Sweeps.plan(Sweeps.SMALL.replace("64M", "32M"));
    OutputException e =
        assertThrows(OutputException.class, () -> Sweeps.folder(other, folder.resolve("a")));
    assertTrue(String.valueOf(e.getMessage()).contains("another sweep"), e.getMessage());
  }

  /** What predict prints on stderr has no other place here. */
  @Test
  void whatIsAssumedOrIgnoredIsACaveat() {
    SweepPlan plan =
        Sweeps.plan(
            "machines: [hgx-h200-4nic.xml]\nnodes: [1, 2]\ncollectives: all_reduce\nsizes: 1M\n"
                + "axes: {x: {none: 'remove net:*', debug: env NCCL_DEBUG=INFO}}\n");
    Sweeps.run(plan, folder.resolve("a"), Shard.ALL, 1);
    List<ResultRow> rows = rows(folder.resolve("a"));
    assertEquals("", rows.get(0).caveats());
    assertTrue(rows.get(1).caveats().contains("0.1 GB/s between nodes is assumed"));
    assertTrue(rows.get(2).caveats().contains("NCCL_DEBUG ignored: no effect"));
  }

  @Test
  void aFolderWithOtherFilesIsLeftAlone() throws IOException {
    Files.writeString(folder.resolve("notes.txt"), "mine");
    SweepPlan plan = Sweeps.plan(Sweeps.SMALL);
    OutputException e = assertThrows(OutputException.class, () -> Sweeps.folder(plan, folder));
    assertTrue(String.valueOf(e.getMessage()).contains("it has notes.txt"), e.getMessage());
  }

  /** Groups of all GPUs of a node, and two at once within it. */
  private static final String CALLS =
      """
      group,operation,bytes,datatype,count
      0-7,all_gather,64M,bfloat16,12
      0-7,reduce_scatter,64M,bfloat16,12
      "0,1,2,3",all_reduce,32M,bfloat16,10
      "4,5,6,7",all_reduce,32M,bfloat16,10
      """;

  private List<ResultRow> ofTraces(String name, String scale) throws IOException {
    Path calls = Files.writeString(folder.resolve("calls.csv"), CALLS);
    String fsdp = TestJobs.MEASURED.resolve("h200-x2-workloads/fsdp.rank*.json.gz").toString();
    SweepPlan plan =
        Sweeps.plan(
            """
            machines: [hgx-h200-4nic.xml]
            axes: {gpus: {"8": , "7": 'remove gpu:7'}}
            nodes: [1, 3]
            workloads:
              table: {traces: '%s'%s}
              fsdp: {traces: '%s'%s}
            """
                .formatted(calls, scale, fsdp, scale));
    Sweeps.run(plan, folder.resolve(name), Shard.ALL, 1);
    return rows(folder.resolve(name));
  }

  /** A job that does not fit a variant has a reason, not a time. */
  @Test
  void tracesOfAnotherNumberOfRanksHaveNoTime() throws IOException {
    List<ResultRow> rows = ofTraces("whole", "");
    assertEquals("calibration", rows.get(0).outcome().source());
    assertTrue(
        rows.get(2)
            .outcome()
            .error()
            .contains(
                "the traces have 8 ranks, which are 1 of these nodes: expected as many nodes, or scale: dp"),
        rows.get(2).toString());
    assertTrue(
        rows.get(4).outcome().error().contains("which are 2 of these nodes"),
        rows.get(4).toString());
    String words = "scale dp: 21 ranks are no multiple of the 8 of the traces";
    List<ResultRow> scaled = ofTraces("scaled", ", scale: dp");
    assertTrue(
        scaled.stream().anyMatch(row -> row.outcome().error().contains(words)), scaled.toString());
  }
}
