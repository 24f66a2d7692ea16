package dev.topo.simulator.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.SourceText;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.tuning.TunerCsv;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.fixture.TestJobs;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times of the rows of a tuner file on a machine. */
class TunerFileCostTest {
  private static List<LintFinding> found(String machine, String rows) {
    return new TunerFileCost(
            TestJobs.shipped(machine).topology(), NcclProfile.DEFAULT, new JobEvaluator())
        .of(new SourceText("tuner.csv", rows.getBytes(StandardCharsets.UTF_8)), Set.of());
  }

  @ParameterizedTest
  @CsvSource({"dgx-h100, 1", "dgx-h100, 4", "dgx-a100, 1", "l40s-4, 2"})
  void ncclsOwnTableChangesNothing(String machine, int nodes) {
    var predictor = TestJobs.predictor(TestJobs.on(TestJobs.shipped(machine), nodes));
    assertEquals(List.of(), found(machine, TunerCsv.of(predictor.tuner()).write()));
  }

  @Test
  void aSlowerRowIsAWarningAndAFasterOneANote() {
    List<LintFinding> slower = found("dgx-h100", "\nallreduce,0,32768,tree,simple,0,1,-1\n");
    assertEquals(Severity.WARNING, slower.get(0).severity());
    assertEquals(2, slower.get(0).place().line());
    String message = slower.get(0).message();
    assertTrue(message.startsWith("AllReduce of 32 KiB by Tree Simple is predicted"), message);
    assertTrue(message.contains("by NCCL's Ring LL"), message);
    List<LintFinding> faster = found("dgx-h100", "broadcast,4194304,4194304,ring,ll128,0,-1,-1\n");
    assertEquals(List.of(Severity.NOTE), faster.stream().map(LintFinding::severity).toList());
  }

  /** Another number of ranks, none, sizes between two powers of two, and no algorithm of NCCL's. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "allreduce,0,32768,tree,simple,2,1,4",
        "allreduce,0,32768,tree,simple,2,2,8",
        "allreduce,0,32768,tree,simple,2,0,0",
        "allreduce,0,32768,tree,simple,2,300000000,-1",
        "allreduce,1025,2047,tree,simple,2,1,8",
        "broadcast,0,32768,tree,simple,2,1,8",
        "# allreduce,0,32768,tree,simple,2,1,8"
      })
  void whatDoesNotRunOnTheMachineHasNoTime(String row) {
    assertEquals(List.of(), found("dgx-h100", row + "\n"));
  }
}
