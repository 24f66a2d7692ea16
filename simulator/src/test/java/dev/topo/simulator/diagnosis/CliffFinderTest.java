package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.search.tuning.TunerRule;
import dev.topo.simulator.diagnosis.Cliff.Reason;
import dev.topo.simulator.diagnosis.CliffFinder.KnownChoice;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cliffs planted in measured times are found and mended, noise is not a cliff. */
class CliffFinderTest {
  private static final String HEADING =
      "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n";

  private static double smooth(long bytes) {
    return 10 + bytes / 100e3;
  }

  private static String rows(String pair, double noise, long seed, LongToDoubleFunction timeUs) {
    Random random = new Random(seed);
    StringBuilder rows = new StringBuilder();
    for (long bytes = 1024; bytes <= 64 << 20; bytes *= 2) {
      double out = timeUs.applyAsDouble(bytes) * (1 + noise * random.nextGaussian());
      double in = timeUs.applyAsDouble(bytes) * (1 + noise * random.nextGaussian());
      rows.append(
          String.format(Locale.ROOT, "8,all_gather,%s,%d,%.2f,%.2f%n", pair, bytes, out, in));
    }
    return rows.toString();
  }

  private static MeasuredRun run(String... rows) {
    return RunReader.read(HEADING + String.join("", rows), "runs.csv", RunHints.NOTHING);
  }

  private static CliffReport find(MeasuredRun... runs) {
    return CliffFinder.find(List.of(runs), KnownChoice.NONE);
  }

  @Test
  void aSizeSlowerThanALargerOneIsACliffAndTheForcedPairMendsIt() {
    LongToDoubleFunction own = bytes -> smooth(bytes) * (bytes == 65536 ? 2 : 1);
    CliffReport report =
        find(
            run(rows(",", 0.01, 1, own), rows("Ring,LL128", 0.01, 2, CliffFinderTest::smooth)),
            run(rows(",", 0.01, 3, own), rows("Ring,LL128", 0.01, 4, CliffFinderTest::smooth)));
    assertEquals(1, report.cliffs().size(), report.toString());
    Cliff cliff = report.cliffs().get(0);
    assertEquals(65536, cliff.bytes());
    assertEquals(50, cliff.lossPercent(), 4);
    TunerRule rule = report.rules().get(0);
    assertTrue(rule.toString().startsWith("allgather,46341,92681,ring,ll128,0,-1,8,"), "" + rule);
  }

  /** A fault that lasts, or a choice, is slow out of place and in place. */
  @ParameterizedTest
  @CsvSource({"2,1", "1,2"})
  void aLossInOneColumnOnlyIsNoCliff(double out, double in) {
    StringBuilder rows = new StringBuilder();
    for (long bytes = 1024; bytes <= 64 << 20; bytes *= 2) {
      boolean isSlow = bytes == 4 << 20;
      rows.append(
          String.format(
              Locale.ROOT,
              "8,all_gather,,,%d,%.2f,%.2f%n",
              bytes,
              smooth(bytes) * (isSlow ? out : 1),
              smooth(bytes) * (isSlow ? in : 1)));
    }
    CliffReport report = find(run(rows.toString()), run(rows.toString()));
    assertEquals(List.of(), report.cliffs());
    assertEquals(List.of(), report.unconfirmed());
  }

  @Test
  void withoutForcedPairsTheCliffIsNamedButNotMended() {
    String rows = rows(",", 0.01, 3, bytes -> smooth(bytes) * (bytes == 65536 ? 2 : 1));
    CliffReport report = find(run(rows), run(rows));
    assertEquals(Reason.LARGER_IS_FASTER, report.cliffs().get(0).reason());
    assertEquals(Optional.empty(), report.cliffs().get(0).pair());
    assertEquals(List.of(), report.rules());
  }

  @Test
  void aKnownChoiceAtTheLargerSizeMendsIt() {
    KnownChoice known =
        (collective, bytes) ->
            RunReader.read(
                    HEADING + "8,all_gather,Ring," + (bytes > 65536 ? "Simple" : "LL") + ",8,1,1\n",
                    "x",
                    RunHints.NOTHING)
                .measurements()
                .get(0)
                .forced();
    MeasuredRun run = run(rows(",", 0.01, 3, bytes -> smooth(bytes) * (bytes == 65536 ? 2 : 1)));
    CliffReport report = CliffFinder.find(List.of(run, run), known);
    assertTrue(report.rules().get(0).toString().contains(",ring,simple,"), report.toString());
  }

  @Test
  void aFasterForcedPairIsACliffOverAllItsSizes() {
    CliffReport report =
        find(
            run(
                rows(",", 0.01, 4, CliffFinderTest::smooth),
                rows("Ring,Simple", 0.01, 5, CliffFinderTest::smooth),
                rows(
                    "Tree,LL",
                    0.01,
                    6,
                    b -> smooth(b) * (b >= 1 << 20 && b <= 4 << 20 ? 0.7 : 1.5))));
    assertEquals(
        List.of(1L << 20, 2L << 20, 4L << 20), report.cliffs().stream().map(Cliff::bytes).toList());
    assertEquals(1, report.rules().size());
    assertEquals(741456, report.rules().get(0).minBytes());
    assertEquals(5931641, report.rules().get(0).maxBytes());
  }

  /** Of two runs each, the same loss counts. */
  @Test
  void onePairOfTimesOfSmallCallsIsNoCliff() {
    LongToDoubleFunction own = bytes -> smooth(bytes) * (bytes == 65536 ? 2 : 1);
    CliffReport single = find(run(rows(",", 0.01, 1, own)));
    assertEquals(List.of(), single.cliffs());
    assertEquals(List.of(65536L), single.unconfirmed().stream().map(Cliff::bytes).toList());
    CliffReport forced =
        find(run(rows(",", 0.01, 1, own), rows("Ring,LL128", 0.01, 2, b -> smooth(b) / 1.4)));
    assertTrue(forced.cliffs().stream().allMatch(cliff -> cliff.bytes() >= 1 << 20));
    CliffReport twice = find(run(rows(",", 0.01, 1, own)), run(rows(",", 0.01, 2, own)));
    assertEquals(List.of(65536L), twice.cliffs().stream().map(Cliff::bytes).toList());
  }

  @Test
  void noiseIsNoCliff() {
    for (long seed = 0; seed < 30; seed++) {
      for (double noise : new double[] {0.01, 0.05}) {
        CliffReport report =
            find(
                run(
                    rows(",", noise, seed, CliffFinderTest::smooth),
                    rows("Ring,LL", noise, seed + 100, CliffFinderTest::smooth)));
        assertEquals(List.of(), report.cliffs(), "seed " + seed);
      }
    }
  }

  @Test
  void repeatedRunsShowSmallerLosses() {
    LongToDoubleFunction own = bytes -> smooth(bytes) * (bytes == 16 << 20 ? 1.08 : 1);
    MeasuredRun[] runs = new MeasuredRun[8];
    for (int i = 0; i < runs.length; i++) {
      runs[i] =
          run(rows(",", 0.02, i, own), rows("Ring,LL128", 0.02, 50 + i, CliffFinderTest::smooth));
    }
    CliffReport report = find(runs);
    assertEquals("repeated runs", report.noiseOrigin());
    assertEquals(2, report.noisePercent().large(), 0.7);
    assertEquals(List.of(16L << 20), report.cliffs().stream().map(Cliff::bytes).toList());
  }
}
