package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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
    String[] call = {X2, NO_NVLS, "--against=" + run};
    CliRun text = run(call);
    assertEquals(1, text.status(), text.err());
    assertTrue(text.out().contains("alltoall.txt on h200-x2.topo: 1 of 2 times fails"), text.out());
    assertEquals(0, run(with(call, "--sizes=16M")).status());
    CliRun csv = run(with(call, "--collective=alltoall", "--format=csv"));
    assertTrue(csv.out().contains("alltoall,,Simple,67108864,290,135.7,"), csv.out());
    assertEquals(3, run(with(call, "--collective=sendrecv")).status());
  }

  private static String[] with(String[] call, String... more) {
    return Stream.concat(Arrays.stream(call), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void buffersAndGroupsAreInTheHeading() {
    String[] call = {X2, NO_NVLS, "--collective=all_gather", "--sizes=16M"};
    assertTrue(ok(with(call, "--buffers=symmetric")).contains("buffers in symmetric windows"));
    assertTrue(ok(with(call, "--buffers=registered")).contains(", registered buffers"));
    assertTrue(ok(with(call, "--groups-at-once=2")).contains(", 2 groups at once"));
  }

  @Test
  void trafficAndSkewAreOfAlltoallv() throws IOException {
    Path matrix = folder.resolve("traffic.csv");
    Files.writeString(matrix, "0,100000000\n50000000,0\n");
    String[] call = {X2, "--collective=alltoallv", "--format=csv"};
    String row = ok(with(call, "--traffic=" + matrix)).lines().skip(1).findFirst().orElseThrow();
    assertEquals("100000000", row.split(",", -1)[5]);
    String even = ok(with(call, "--sizes=256M"));
    assertEquals(even, ok(with(call, "--sizes=256M", "--skew=1")));
    assertNotEquals(even, ok(with(call, "--sizes=256M", "--skew=4")));
  }

  /** Several numbers of nodes: in one node links are full, between nodes ports. */
  @Test
  void sendsAndReceivesScale() {
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    String text = ok(machine, "--nodes=1,2,4", "--collective=alltoall,scatter", "--sizes=1G");
    assertTrue(text.contains("\nAlltoAll\n  all: by Simple\n  size   nodes  ranks"), text);
    assertTrue(text.contains("NVL GPU 0 to NVS 0-0\n  1 GiB  2      16     16 "), text);
    assertTrue(text.contains("\nScatter\n"), text);
    String all = ok(machine, "-v", "--nodes=1,2,4", "--collective=alltoall", "--sizes=1G");
    assertTrue(all.contains("\nAlltoAll\n  all: by Simple\n  size   nodes  ranks"), all);
    assertTrue(all.contains("  algbw "), all);
    List<String> rows =
        ok(machine, "--nodes=2,4", "--collective=alltoall", "--sizes=1G", "--format=csv")
            .lines()
            .skip(1)
            .toList();
    assertEquals(2, rows.size());
    assertTrue(rows.get(1).startsWith("4,alltoall,,Simple,16,"), rows.get(1));
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
