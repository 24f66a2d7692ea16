package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.ReplayedJob;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.visualizer.study.ReplayOutput;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@code topo run --workload} says, with made-up times of the replay: 100 us each, 10 % more.
 */
class ReplayAnswerTest {
  private static String text(Answer answer) throws IOException {
    StringBuilder text = new StringBuilder();
    answer.writeTo(text);
    return text.toString();
  }

  @Test
  void aPersonReadsTracedReplayedAndExpected() throws IOException {
    String text = text(ReplayOutput.of(ReplayedJob.SUMMARY, ReplayedJob.of("fsdp"), "2.30.7"));
    assertTrue(
        text.startsWith(
            """
            host: 2 ranks on 1 node; traces of 2 ranks, NCCL 2.28.9
            replayed by NCCL 2.30.7: 2 rounds of 72 calls
            """),
        text);
    List<String> first = text.lines().filter(line -> line.contains("AllGather")).toList();
    assertTrue(
        first.get(0).matches(".*27 +214.9 us +105.0 us +222.0 us .* 2.05 +0.47 +Ring/Simple"),
        first.get(0));
    assertTrue(text.contains("replayed time has launches"), text);
  }

  /** Those of the kind without launches and beside nothing. */
  @Test
  void theSentenceComparesCallsThatRanAlone() throws IOException {
    Answer answer = ReplayOutput.of(ReplayedJob.SUMMARY, ReplayedJob.of("fsdp"), "2.30.7");
    assertEquals(
        "Traced and replayed times of 27 calls that ran alone, with all ranks traced, differ by 105 % in the"
            + " median, by up to 105 % in 90 of 100.\n",
        text(answer.inBrief()));
  }

  @ParameterizedTest
  @CsvSource({"fsdp", "pp", "mix", "moe"})
  void documentsHaveTheFieldsOfTheirSchema(String job) throws IOException {
    Envelope envelope =
        new Envelope(
            ReleaseRules.DEFAULT, CaveatFinder.ofRelease(ReleaseRules.DEFAULT), Invocation.NONE);
    Answer answer = ReplayOutput.json(ReplayedJob.SUMMARY, ReplayedJob.of(job), "2.28.9");
    String json = text(answer.render(envelope, "json", line -> {}));
    assertEquals(List.of(), SchemaTest.faults("replay", json));
  }

  @Test
  void aTableHasARowForEachKind() throws IOException {
    List<String> lines = text(ReplayOutput.csv(ReplayedJob.of("fsdp"))).lines().toList();
    assertEquals(5, lines.size());
    assertEquals(24, lines.get(0).split(",").length);
    assertTrue(lines.get(0).endsWith(",caveats"), lines.get(0));
    assertTrue(lines.get(1).startsWith("default_pg,all_gather,"), lines.get(1));
  }
}
