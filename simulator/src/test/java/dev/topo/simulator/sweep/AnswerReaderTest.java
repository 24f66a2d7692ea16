package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import dev.topo.simulator.workload.ExpectedStep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers about rows that are written by hand, against their definitions. */
class AnswerReaderTest {
  private static final String SPEC =
      "machines: [m.xml]\ncollectives: all_reduce\nsizes: 1M\nnodes: [2, 4]\n"
          + "axes: {a: {x: , y: , z: }, b: {p: , q: }}\n";

  @TempDir private Path folder;

  private static ResultRow row(int number, String a, String b, int nodes, int nics, double us) {
    return new ResultRow(
        number,
        "%016x".formatted(number),
        "m",
        List.of(a, b),
        "wide",
        nodes,
        8 * nodes,
        nics,
        400.0 * nics,
        "",
        "all_reduce",
        1 << 20,
        us > 0
            ? Outcome.ofWorkload(new ExpectedStep(us, 0, 0, false), Set.of("network"))
            : Outcome.error("refused"),
        "",
        "",
        "");
  }

  /** Times of x, y and z on 2 and 4 nodes, with p and with q. */
  private SweepAnswer answer(String ranking) {
    double[][] times = {{100, 200, 110, 220}, {50, 100, 50, 100}, {50, 100, 40, 0}};
    int[] nics = {1, 4, 8};
    List<ResultRow> rows = new ArrayList<>();
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 2; b++) {
        for (int n = 0; n < 2; n++) {
          rows.add(
              row(
                  rows.size(),
                  "xyz".substring(a, a + 1),
                  "pq".substring(b, b + 1),
                  2 + 2 * n,
                  nics[a],
                  times[a][2 * b + n]));
        }
      }
    }
    SweepInfo info =
        new SweepInfo(
            SweepInfo.SCHEMA,
            "t",
            "0123456789abcdef",
            "s",
            List.of("a", "b"),
            12,
            12,
            1,
            List.of());
    ResultFolder results =
        ResultFolder.make(folder.resolve("r"), info, SPEC + ranking, new Inputs());
    results.write(0, rows);
    return AnswerReader.read(results, SpecReader.read(results.spec(), new Inputs()).ranking());
  }

  /** A design with a port less on 28 channels, beside others on 16. */
  private static ComparedDesign design(String nics, int ports, int channels, double us) {
    OptionalDouble none = OptionalDouble.empty();
    Outcome outcome =
        new Outcome(
            "Ring",
            "Simple",
            channels,
            OptionalDouble.of(us),
            none,
            none,
            none,
            none,
            "",
            "",
            OptionalLong.empty());
    return new ComparedDesign(
        Map.of("nics", nics),
        ports,
        400 * ports,
        0,
        "",
        List.of("key"),
        List.of(outcome),
        OptionalDouble.of(1),
        OptionalDouble.of(1));
  }

  @Test
  void lessNetworkThatIsFasterOnOtherChannelsHasTheReason() {
    SweepAnswer base = answer("");
    List<ComparedDesign> designs =
        List.of(design("7", 7, 28, 80), design("8", 8, 16, 100), design("6", 6, 16, 70));
    SweepAnswer answer =
        new SweepAnswer(
            "t",
            base.ranking(),
            List.of("nics"),
            List.of(new Scenario("all_gather 64 MiB", 4)),
            designs,
            List.of(),
            0,
            List.of());
    assertTrue(
        SweepSummary.sentences(answer)
            .contains(
                "With less network, nics 7 is 1.25 times as fast as nics 8 for all_gather 64 MiB on"
                    + " 4 nodes: by rules of its own NCCL uses 28 channels instead of 16 (topo"
                    + " explain)."),
        SweepSummary.sentences(answer).toString());
    assertFalse(SweepSummary.sentences(base).toString().contains("With less network"));
  }

  private static String names(List<ComparedDesign> designs) {
    StringBuilder names = new StringBuilder();
    designs.forEach(
        one -> names.append(one.values().get("a")).append(one.values().get("b")).append(' '));
    return names.toString().strip();
  }

  @Test
  void designsAreRankedByTheMeanOverAllScenarios() {
    SweepAnswer answer = answer("");
    assertEquals(List.of("a", "b"), answer.axes());
    assertEquals(2, answer.scenarios().size());
    assertEquals("yp yq zp xp xq zq", names(answer.designs()));
    assertEquals("yp yq zp xp xq", names(answer.ranked()));
    // On 2 nodes zq is the fastest with 40, on 4 nodes others with 100.
    assertEquals(Math.sqrt(0.8), answer.ranked().get(0).merit().orElseThrow(), 1e-9);
    assertEquals(Math.sqrt(0.4 * 0.5), answer.ranked().get(3).speed().orElseThrow(), 1e-9);
    assertEquals("refused", answer.designs().get(5).error());
  }

  @Test
  void theFrontHasWhatNoneBeatsInCostAndSpeed() {
    assertEquals("xp yp", names(answer("").front()));
    assertEquals("zp", names(answer("prices: {a: {x: 5, y: 9, z: 2}}\n").front()));
  }

  @Test
  void anAxisMattersByTheTimesOfDesignsThatDifferInNothingElse() {
    List<AxisEffect> effects = answer("").effects();
    assertEquals("a", effects.get(0).axis());
    // 2, 2, 2.75 and 2.2 times between x, y and z.
    assertEquals(Math.pow(2 * 2 * 2.75 * 2.2, 0.25), effects.get(0).meanFactor(), 1e-9);
    assertEquals(2.75, effects.get(0).mostFactor(), 1e-9);
    assertEquals(2, effects.get(0).most().nodes());
    assertEquals("y", effects.get(0).fastest());
    // 1.1 and 1.1 for x, 1 and 1 for y, 1.25 for z.
    assertEquals(Math.pow(1.1 * 1.1 * 1.25, 0.2), effects.get(1).meanFactor(), 1e-9);
  }

  @Test
  void limitsAndObjectivesChangeTheOrderOnly() {
    assertEquals("xp xq yp yq zp zq", names(answer("objective: speed-per-nic\n").designs()));
    SweepAnswer limited = answer("limits: {nics: 4, time-us: 210}\n");
    assertEquals("yp yq xp", names(limited.designs()));
    assertEquals(3, limited.excluded());
  }

  @Test
  void theVerdictSaysWhatTheModelCannotTellApart() {
    List<String> sentences = SweepSummary.sentences(answer(""));
    assertTrue(
        sentences
            .get(0)
            .startsWith("Best by speed over 2 scenarios: a y, b p; 2 other designs are within 2 %"),
        sentences.get(0));
    assertTrue(sentences.get(1).startsWith("What matters most is a:"), sentences.get(1));
    assertTrue(sentences.get(2).contains("2 of the 2 times"), sentences.get(2));
    assertTrue(
        SweepSummary.sentences(answer("objective: speed-per-nic\n"))
            .get(1)
            .startsWith(
                "The fastest is a y, b p: 2.00 times the speed, for 4.00 times the network"
                    + " cards."));
  }
}
