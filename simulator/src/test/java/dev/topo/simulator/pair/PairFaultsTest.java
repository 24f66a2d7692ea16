package dev.topo.simulator.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.HostRunReader;
import dev.topo.model.io.Inputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Matrices with slow, failed, cut-off and missing pairs: the output of nccl-tests and a table of
 * the same rates give the same answer.
 */
class PairFaultsTest {
  private static final int HEALTHY = 0;
  private static final int SLOW = 1;
  private static final int FAILED = 2;
  private static final int MISSING = 3;

  /** Slow, and ended by a limit of time before the largest size. */
  private static final int CUT_OFF = 4;

  private static final double GBPS = 13.6;
  private static final double SLOW_GBPS = 1.5;
  private static final List<Long> SIZES =
      List.of(8L, 1L << 16, 1L << 24, 1L << 26, 1L << 28, 1L << 30);

  /**
   * Rates of pairs as files.
   *
   * @param text output of nccl-tests, one run after the other
   * @param csv the same rates as a table
   */
  private record Sample(String text, String csv) {
    static Sample of(int hosts, long seed, IntBinaryOperator state) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder();
      StringBuilder csv = new StringBuilder("a,b,bytes,busbw_gbps\n");
      for (int a = 0; a < hosts; a++) {
        for (int b = a + 1; b < hosts; b++) {
          int is = state.applyAsInt(a, b);
          double gbps =
              (is == SLOW || is == CUT_OFF ? SLOW_GBPS : GBPS) * (1 + 0.02 * random.nextGaussian());
          if (is != MISSING) {
            add(text, csv, a, b, is, gbps);
          }
        }
      }
      return new Sample(text.toString(), csv.toString());
    }

    private static void add(
        StringBuilder text, StringBuilder csv, int a, int b, int is, double gbps) {
      text.append("# nThread 1 nGpus 1 minBytes 8 maxBytes 1073741824 step: 4(factor)\n");
      for (int host : List.of(a, b)) {
        text.append(
            "#  Rank  %d Group  0 Pid  1000 on   n%02d device  0 [0000:07:00] NVIDIA H100\n"
                .formatted(host == a ? 0 : 1, host));
      }
      if (is == FAILED) {
        text.append(
            "n%02d: Test NCCL failure common.cu:1279 'remote process exited'\n".formatted(b));
        csv.append("n%02d,n%02d,1073741824,FAIL\n".formatted(a, b));
        return;
      }
      for (long size : SIZES) {
        if (is == CUT_OFF && size > 1 << 26) {
          return;
        }
        double us = 20 + size / gbps / 1e3;
        double busbw = size / us / 1e3;
        text.append(
            String.format(
                Locale.ROOT,
                "%12d %12d float sum -1 %10.2f %7.2f %7.2f 0 %10.2f %7.2f %7.2f 0%n",
                size,
                size / 4,
                us,
                busbw,
                busbw,
                us,
                busbw,
                busbw));
        csv.append(String.format(Locale.ROOT, "n%02d,n%02d,%d,%.3f%n", a, b, size, busbw));
      }
    }

    /** What both say. */
    PairReport report() {
      PairReport ofText =
          PairDiagnosis.of(
              new PairRuns(HostRunReader.read(text, "pairs.txt"), List.of()), Optional.empty());
      PairReport ofCsv =
          PairDiagnosis.of(
              new PairRuns(HostRunReader.read(csv, "pairs.csv"), List.of()), Optional.empty());
      assertEquals(words(ofText), words(ofCsv));
      return ofText;
    }
  }

  private static List<String> words(PairReport report) {
    List<String> words = new ArrayList<>();
    words.add(report.runs() + " runs, " + report.missing() + " missing");
    report
        .causes()
        .forEach(
            cause ->
                words.add(
                    String.format(
                        Locale.ROOT,
                        "%s %.0f %% %d %d %d",
                        cause.what(),
                        cause.slowerPercent(),
                        cause.runs(),
                        cause.slowRuns(),
                        cause.missing())));
    report.unexplained().stream()
        .map(run -> run.first() + " and " + run.second())
        .sorted()
        .forEach(words::add);
    return words;
  }

  private static boolean isOf(int host, int a, int b) {
    return a == host || b == host;
  }

  @Test
  void slowPairsThatEndBeforeTheCommonSizeAreNamed() {
    PairReport report = Sample.of(17, 1, (a, b) -> (a + 9) % 17 == b ? CUT_OFF : HEALTHY).report();
    assertEquals(8, report.unexplained().size(), report.toString());
    assertEquals(List.of(), report.causes());
    report
        .unexplained()
        .forEach(run -> assertEquals(SLOW_GBPS / GBPS, run.gbps() / run.expectedGbps(), 0.02));
  }

  @Test
  void aHostWhosePairsAllEndBeforeTheCommonSizeIsSlow() {
    PairReport report = Sample.of(17, 2, (a, b) -> isOf(4, a, b) ? CUT_OFF : HEALTHY).report();
    assertEquals(List.of("17 hosts", "host n04 89 % 16 16 0"), causes(report));
  }

  private static List<String> causes(PairReport report) {
    List<String> causes = new ArrayList<>(List.of(report.hosts() + " hosts"));
    causes.addAll(words(report).subList(1, 1 + report.causes().size()));
    return causes;
  }

  @Test
  void aHostWhoseRunsAllFailIsAccused() {
    PairReport report = Sample.of(8, 3, (a, b) -> isOf(7, a, b) ? FAILED : HEALTHY).report();
    assertEquals(List.of("8 hosts", "host n07 0 % 0 0 7"), causes(report));
    assertEquals(7, report.missing());
    assertTrue(report.causes().get(0).confidence() > 0.99);
  }

  @Test
  void missingAndSlowPairsOfAHostCountTogether() {
    for (int how : List.of(FAILED, MISSING)) {
      PairReport report =
          Sample.of(
                  17,
                  4,
                  (a, b) -> {
                    int other = a == 3 ? b : a;
                    boolean isOfHost = isOf(3, a, b);
                    return !isOfHost || other % 4 == 3
                        ? HEALTHY
                        : other % 2 == 0 && other > 0 ? how : other % 4 == 1 ? SLOW : HEALTHY;
                  })
              .report();
      assertEquals(List.of("17 hosts", "host n03 89 % 8 4 8"), causes(report));
      assertEquals(List.of(), report.unexplained());
    }
  }

  @Test
  void pairsThatAreMissingEvenlyAccuseNobody() {
    for (long seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      double part = 0.6 * random.nextDouble();
      int how = random.nextBoolean() ? FAILED : MISSING;
      PairReport report =
          Sample.of(12, seed, (a, b) -> random.nextDouble() < part ? how : HEALTHY).report();
      assertEquals(List.of(), report.causes(), "seed " + seed);
    }
  }

  @Test
  void pairsOfAnUnfinishedMatrixAccuseNobody() {
    for (int done = 4; done < 16; done++) {
      int until = done;
      PairReport report = Sample.of(16, done, (a, b) -> a < until ? HEALTHY : MISSING).report();
      assertEquals(List.of(), report.causes(), done + " hosts were first");
    }
  }

  @Test
  void halvesWithSlowPairsBetweenThemAreNamed() {
    for (double missing : List.of(0.0, 0.5, 0.7)) {
      Random random = new Random(5);
      PairReport report =
          Sample.of(
                  16,
                  5,
                  (a, b) ->
                      random.nextDouble() < missing ? MISSING : a < 8 != b < 8 ? SLOW : HEALTHY)
              .report();
      assertEquals(1, report.causes().size(), report.toString());
      assertEquals(
          "links between n00 to n07 and n08 to n15",
          report.causes().get(0).what(),
          missing + " missing");
      assertEquals(89, report.causes().get(0).slowerPercent(), 1);
    }
  }

  @Test
  void halvesBetweenWhichRunsFailAreNamed() {
    PairReport report = Sample.of(16, 6, (a, b) -> a < 8 != b < 8 ? FAILED : HEALTHY).report();
    assertEquals(
        List.of("16 hosts", "links between n00 to n07 and n08 to n15 0 % 0 0 64"), causes(report));
    PairReport some =
        Sample.of(16, 7, (a, b) -> a < 8 == b < 8 ? HEALTHY : (a + b) % 3 > 0 ? FAILED : SLOW)
            .report();
    assertEquals("links between n00 to n07 and n08 to n15", some.causes().get(0).what());
    assertEquals(1, some.causes().size());
  }

  @Test
  void groupsThatWereNeverRunAgainstEachOtherAreNoFault() {
    PairReport report = Sample.of(16, 8, (a, b) -> a < 8 != b < 8 ? MISSING : HEALTHY).report();
    assertEquals(List.of(), report.causes());
  }

  @Test
  void fewPairsOfSeparateGroupsAreReadToo() {
    PairReport report =
        Sample.of(10, 9, (a, b) -> b == a + 1 && a != 4 ? HEALTHY : MISSING).report();
    assertEquals(List.of(), report.causes());
  }

  @Test
  void aHostWithoutAnyCellInASquareIsKnown() {
    StringBuilder square = new StringBuilder("host");
    for (int host = 0; host < 6; host++) {
      square.append(",n").append(host);
    }
    for (int a = 0; a < 6; a++) {
      square.append("\nn").append(a);
      for (int b = 0; b < 6; b++) {
        square.append(',').append(b <= a || isOf(2, a, b) ? "" : "40." + (a + b));
      }
    }
    PairReport report =
        PairDiagnosis.of(
            new PairRuns(HostRunReader.read(square.toString(), "s.csv"), List.of()),
            Optional.empty());
    assertEquals(List.of("6 hosts", "host n2 0 % 0 0 5"), causes(report));
  }

  @Test
  void runsThatFailBeforeTheyNameTheirHostsAreKnownByTheNamesOfTheirFiles(@TempDir Path folder)
      throws IOException {
    for (int a = 0; a < 8; a++) {
      for (int b = a + 1; b < 8; b++) {
        int first = a;
        int second = b;
        Sample one =
            Sample.of(8, a * 8 + b, (c, d) -> c == first && d == second ? HEALTHY : MISSING);
        Files.writeString(
            folder.resolve("n%02d-n%02d.txt".formatted(a, b)),
            b == 7 ? "ssh: connect to host n07 port 22: No route to host\n" : one.text());
      }
    }
    Files.writeString(folder.resolve("notes.txt"), "measured on Monday\n");
    PairRuns files = PairRuns.read(List.of(folder), new Inputs());
    PairReport report = PairDiagnosis.of(files, Optional.empty());
    assertEquals(List.of("8 hosts", "host n07 0 % 0 0 7"), causes(report));
    assertTrue(files.remarks().get(0).startsWith("1 file without runs"), files.toString());
  }
}
