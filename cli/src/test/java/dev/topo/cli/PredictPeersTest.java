package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code topo predict} of sends and receives, other buffers and groups at once. */
class PredictPeersTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String X2 =
      ROOT.resolve("src/test/resources/measured/h200-x2.topo.xml").toString();
  private static final String NO_NVLS = "--env=NCCL_NVLS_ENABLE=0";

  @TempDir private Path folder;

  private static CliRun run(String... args) {
    return CliRun.of(
        Stream.concat(Stream.of("predict"), Arrays.stream(args)).toArray(String[]::new));
  }

  private static String ok(String... args) {
    CliRun run = run(args);
    assertEquals(0, run.status(), run.out() + run.err());
    return run.out();
  }

  private static double busbw(String... args) {
    String row = ok(args).lines().skip(1).findFirst().orElseThrow();
    return Double.parseDouble(row.split(",", -1)[10]);
  }

  /** What two H200 reached on 2026-11-22. */
  @ParameterizedTest
  @CsvSource({"alltoall, 333", "sendrecv, 361", "gather, 370", "scatter, 365"})
  void predictsSendsAndReceives(String operation, double measuredGBps) {
    double busbw = busbw(X2, "--collective", operation, "--sizes=1G", "--format=csv");
    assertEquals(measuredGBps, busbw, 0.05 * measuredGBps);
    String text = ok(X2, "--collective", operation, "--sizes=64K,1G");
    assertTrue(text.contains("  64 KiB  LL  "), text);
    assertTrue(text.contains("NVL "), text);
  }

  @Test
  void aTableHasNoAlgorithmOfSendsAndReceives() {
    List<String> row =
        List.of(
            ok(X2, "--collective=alltoall", "--sizes=16M", "--format=csv")
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow()
                .split(",", -1));
    assertEquals(List.of("1", "alltoall", "", "Simple", "32", "16777216"), row.subList(0, 6));
  }

  @Test
  void aFactorBelowOneIsRefusedWithItsMeaning() {
    CliRun run = run(X2, "--collective=alltoallv", "--skew=0");
    assertEquals(2, run.status());
    assertEquals(
        "topo: --skew 0: expected 1 (equal parts) to 1000000 times as much for rank 0",
        run.err().lines().findFirst().orElseThrow());
  }

  private static final String RUN =
      """
      # Collective test starting: alltoall_perf
      # nThread 1 nGpus 1 minBytes 16777216 maxBytes 67108864 step: 4(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
      #
      # Using devices
      #  Rank  0 Group  0 Pid   1000 on       host device  0 [0000:0f:00] NVIDIA H200
      #  Rank  1 Group  0 Pid   1001 on       host device  1 [0000:2d:00] NVIDIA H200
      #
      #       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
      #        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
          16777216       2097152     float    none      -1    50.10  334.87  167.43       0    48.90  343.09  171.55     N/A
          67108864       8388608     float    none      -1   290.00  231.41  115.70       0   135.70  494.54  247.27     N/A
      # Out of bounds values : 0 OK
      # Avg bus bandwidth    : 175.5
      #
      """;

  /** The output of alltoall_perf as it is, with one row that is twice as slow. */
  @Test
  void measuredSendsAndReceivesAreJudged() throws IOException {
    Path run = Files.writeString(folder.resolve("alltoall.txt"), RUN);
    CliRun text = run(X2, NO_NVLS, "--against", run.toString());
    assertEquals(1, text.status(), text.err());
    assertTrue(text.out().contains("alltoall.txt: 1 of 2 sends and receives PASS"), text.out());
    assertTrue(text.out().contains("FAIL: slower than predicted out of place"), text.out());
    assertEquals(0, run(X2, NO_NVLS, "--against", run.toString(), "--sizes=16M").status());
    CliRun csv =
        run(X2, NO_NVLS, "--against", run.toString(), "--collective=alltoall", "--format=csv");
    assertTrue(csv.out().contains("alltoall,,Simple,67108864,290,135.7,"), csv.out());
    assertEquals(
        3, run(X2, NO_NVLS, "--against", run.toString(), "--collective=sendrecv").status());
  }

  /** A machine without NVLink cannot exchange as fast. */
  @Test
  void sendsAndReceivesThatLinksCannotCarryFail() throws IOException {
    Path run = Files.writeString(folder.resolve("alltoall.txt"), RUN);
    CliRun text =
        run(ROOT.resolve("topologies/rtx4090-2.xml").toString(), "--against", run.toString());
    assertEquals(1, text.status(), text.err());
    assertTrue(text.out().contains("the input contradicts itself: the links"), text.out());
  }

  /** No row of such a table has a range, and so its head names none. */
  @ParameterizedTest
  @CsvSource({
    "--collective=alltoallv --skew=2 --sizes=64M",
    "--collective=all_reduce --sizes=64K",
    "--collective=alltoall --sizes=64K"
  })
  void theHeadHasNoRangeThatNoRowHas(String args) {
    String answer =
        ok(
            Stream.concat(
                    Stream.of(ROOT.resolve("topologies/dgx-h100.xml").toString(), "--nodes=2"),
                    Arrays.stream(args.split(" ")))
                .toArray(String[]::new));
    assertTrue(answer.contains("not known"), answer);
    assertTrue(answer.contains("no range is known"), answer);
    assertFalse(answer.contains("90 of 100"), answer);
  }

  @Test
  void namesTheKernelOfSymmetricWindows() {
    String text = ok(X2, NO_NVLS, "--collective=all_gather", "--sizes=16M", "--buffers=symmetric");
    assertTrue(text.contains("buffers in symmetric windows"), text);
    assertTrue(text.contains("  16 MiB  AllGather_ST  9  "), text);
    // 19 % more was measured.
    double plain = busbw(X2, NO_NVLS, "--collective=all_gather", "--sizes=16M", "--format=csv");
    double registered =
        busbw(
            X2,
            NO_NVLS,
            "--collective=all_gather",
            "--sizes=16M",
            "--format=csv",
            "--buffers=registered");
    assertTrue(registered > 1.05 * plain, registered + " " + plain);
  }

  /** With multicast nothing was measured: NCCL's own time, marked, without a range. */
  @Test
  void marksKernelsThatWereNotMeasured() {
    String text =
        ok(
            ROOT.resolve("topologies/dgx-h100.xml").toString(),
            "--collective=all_reduce",
            "--sizes=16M",
            "--buffers=symmetric");
    assertTrue(text.contains("AllReduce_RSxLDMC_AGxSTMC (*) is not calibrated"), text);
    assertTrue(text.contains("not known"), text);
  }

  @Test
  void marksRatiosOfAnotherMachine() {
    String text =
        ok(
            ROOT.resolve("topologies/dgx-a100.xml").toString(),
            "--collective=alltoall",
            "--sizes=1G");
    assertTrue(text.contains("sends and receives were measured on 2 H200"), text);
    assertTrue(text.contains("not known"), text);
  }

  @Test
  void groupsAtOnceShareTheLinks() {
    double alone = busbw(X2, NO_NVLS, "--collective=all_reduce", "--sizes=256M", "--format=csv");
    double both =
        busbw(
            X2,
            NO_NVLS,
            "--collective=all_reduce",
            "--sizes=256M",
            "--format=csv",
            "--groups-at-once=2");
    assertEquals(0.57, both / alone, 0.02);
  }

  @Test
  void theBusiestRankCountsOfAlltoallv() throws IOException {
    Path matrix = folder.resolve("traffic.csv");
    Files.writeString(matrix, "0,100000000\n50000000,0\n");
    List<String> row =
        List.of(
            ok(X2, "--collective=alltoallv", "--traffic=" + matrix, "--format=csv")
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow()
                .split(",", -1));
    assertEquals("100000000", row.get(5));
    assertEquals(row.get(9), row.get(10), "busbw of the one that sends most");
    double even = busbw(X2, "--collective=alltoallv", "--sizes=256M", "--format=csv");
    assertEquals(even, busbw(X2, "--collective=alltoall", "--sizes=256M", "--format=csv"));
    assertTrue(
        busbw(X2, "--collective=alltoallv", "--sizes=256M", "--skew=4", "--format=csv") < 400);
  }

  /** Several numbers of nodes: in one node links are full, between nodes ports. */
  @Test
  void sendsAndReceivesScale() {
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    String text = ok(machine, "--nodes=1,2,4", "--collective=alltoall,scatter", "--sizes=1G");
    assertTrue(text.contains("\nAlltoAll of 1 GiB\n  nodes  ranks  by"), text);
    assertTrue(text.contains("NVL GPU 0 to NVS 0-0\n  2      16     Simple  16"), text);
    assertTrue(text.contains("\nScatter of 1 GiB\n"), text);
    List<String> rows =
        ok(machine, "--nodes=2,4", "--collective=alltoall", "--sizes=1G", "--format=csv")
            .lines()
            .skip(1)
            .toList();
    assertEquals(2, rows.size());
    assertTrue(rows.get(1).startsWith("4,alltoall,,Simple,16,"), rows.get(1));
  }

  /** The root of a gather receives by its own port, a scatter sends by those near its peers. */
  @Test
  void theRootOfAGatherHasOnePort() {
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    double gather =
        busbw(machine, "--nodes=8", "--collective=gather", "--sizes=1G", "--format=csv");
    assertTrue(gather > 40 && gather < 60, "one port of 50 GB/s: " + gather);
    double scatter =
        busbw(machine, "--nodes=8", "--collective=scatter", "--sizes=1G", "--format=csv");
    assertTrue(scatter > 4 * gather, scatter + " " + gather);
  }

  @Test
  void theBusiestRankCountsBetweenNodes() throws IOException {
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    double even =
        busbw(machine, "--nodes=4", "--collective=alltoall", "--sizes=1G", "--format=csv");
    assertEquals(
        even,
        busbw(machine, "--nodes=4", "--collective=alltoallv", "--sizes=1G", "--format=csv"),
        1e-3 * even);
    Path matrix =
        Files.writeString(
            folder.resolve("toRoot.csv"), ("1000000000" + ",0".repeat(15) + "\n").repeat(16));
    String text = ok(machine, "--nodes=2", "--collective=alltoallv", "--traffic=" + matrix);
    // Eight ranks of another node send to the port of rank 0, 50 GB/s; the others come by NVLink.
    assertTrue(text.contains("NIC mlx5_0"), text);
    assertTrue(text.contains("busbw by what the busiest rank sends or receives"), text);
    assertTrue(text.contains("not known"), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--collective=alltoall --algorithm=Ring; 2; have no algorithms",
        "--collective=alltoallv --nodes=1,2 --traffic=x; 2; --traffic is a matrix of one number of ranks",
        "--collective=alltoall --fabric=none; 3; none: ",
        "--collective=alltoall --hosts=a; 2; --hosts names the nodes of --fabric",
        "--collective=alltoall --adaptive-routing; 2; expected --fabric FILE",
        "--collective=alltoall --calibration=none; 1; no calibration fits",
        "--collective=alltoall --skew=2; 2; need --collective alltoallv",
        "--collective=alltoallv --skew=0.5; 2; --skew 0.5: expected 1 (equal parts) to 1000000",
        "--collective=hypercube; 2; --collective hypercube: expected all_reduce",
        "--buffers=pinned; 2; --buffers pinned: expected",
        "--groups-at-once=0; 2; --groups-at-once 0: expected 1 to 4, or split",
        "--groups-at-once=split; 2; expected --split"
      })
  void refusesWhatItDoesNotKnow(String options, int status, String message) {
    CliRun run =
        run(Stream.concat(Stream.of(X2), Stream.of(options.split(" "))).toArray(String[]::new));
    assertEquals(status, run.status(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }
}
