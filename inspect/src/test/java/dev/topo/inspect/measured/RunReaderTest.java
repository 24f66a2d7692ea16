package dev.topo.inspect.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.fixture.CountedText;
import dev.topo.model.fixture.Growth;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunReaderTest {
  private static final String DEVICES =
      """
      # nThread 1 nGpus 2 minBytes 8 maxBytes 64 step: 8(factor) warmup iters: 5
      # Using devices
      #  Rank  0 Group  0 Pid   3801 on         vm device  0 [0000:00:06] NVIDIA H200
      #  Rank  1 Group  0 Pid   3801 on         vm device  1 [0000:00:07] NVIDIA H200
      """;

  private static final String JSON =
      """
      {"version": 3, "args": ["./build/reduce_scatter_perf", "-g", "1"],
       "env": ["NCCL_ALGO=Ring", "NCCL_PROTO=LL128", "NCCL_CROSS_NIC=0", "CUDA_HOME=/x", "NCCL_DEBUG=INFO"],
       "config": {"ngpus": 1, "devices": [
         {"rank": 0, "group": 0, "hostname": "a"}, {"rank": 1, "group": 0, "hostname": "b"}]},
       "results": [
         {"size": 0, "out_of_place": {"time": 1}, "in_place": {"time": 1}},
         {"size": 64, "out_of_place": {"time": 12.5}, "in_place": {"time": 13}}]}
      """;

  private static MeasuredRun read(String text) {
    return RunReader.read(text, "file", RunHints.NOTHING);
  }

  private static String error(String text) {
    return String.valueOf(
        assertThrows(TopologyFormatException.class, () -> read(text)).getMessage());
  }

  @Test
  void readsTheTableOfNcclTests() {
    MeasuredRun run =
        read(
            "# Collective test starting: all_gather_perf\n"
                + DEVICES
                + "vm:1:1 [0] NCCL INFO something\n"
                + "   0    0   float  none  -1   0.85  0.00  0.00  0   0.83  0.00  0.00  0\n"
                + "  64    8   float  none  -1   26.09  0.00  0.01  0   26.63  0.00  0.00  N/A\n");
    assertEquals(
        List.of(
            new Measurement(
                2, Collective.ALL_GATHER, Optional.empty(), OptionalInt.empty(), 64, 26.09, 26.63)),
        run.measurements());
    assertEquals(1, run.passedOver());
    assertEquals(OptionalInt.of(2), run.gpusPerProcess());
    assertEquals(OptionalInt.of(1), run.nodes());
  }

  /** algbw of a hypercube counts what a rank receives; its column of operators is empty. */
  @Test
  void aHypercubeIsReadAsNcclTestsPrintsIt() {
    MeasuredRun run =
        read(
            "# Collective test starting: hypercube_perf\n"
                + DEVICES
                + "  1000000  125000  float    -1   20.00  25.00  25.00  0   21.00  23.81  23.81  0\n");
    assertEquals(
        List.of(new PeerMeasurement(2, PeerOperation.HYPERCUBE, 1_000_000, 20, 21)), run.peers());
  }

  @Test
  void severalRunsMayFollowEachOther() {
    String row = "  64  8  float  sum  -1  20.00  0.00  0.01  0  21.00  0.00  0.00  0\n";
    MeasuredRun run =
        read(
            "# Collective test starting: all_reduce_perf\n"
                + DEVICES
                + row
                + "# Collective test starting: alltoall_perf\n"
                + DEVICES
                + row
                + "# Collective test starting: broadcast_perf\n"
                + DEVICES
                + row);
    assertEquals(
        List.of(Collective.ALL_REDUCE, Collective.BROADCAST),
        run.measurements().stream().map(Measurement::collective).toList());
    assertEquals(List.of(2), run.gpuCounts());
    assertEquals(1, run.passedOver());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1,0]<stdout>:",
        "[1,0]<stdout>: ",
        "0: ",
        "node17: ",
        "0:",
        "2026-11-22T14:00:05.123Z "
      })
  void whatALauncherPutsBeforeEachLineIsDropped(String tag) {
    String table =
        "# nThread 1 nGpus 1 minBytes 8 maxBytes 64 step: 8(factor) warmup iters: 5\n"
            + "#  Rank  0 Group  0 Pid  1 on  a device  0 [0000:00:06] NVIDIA H200\n"
            + "#  Rank  1 Group  0 Pid  2 on  b device  0 [0000:00:06] NVIDIA H200\n"
            + "  64  8  float  sum  -1  20.00  0.00  0.01  0  21.00  0.00  0.00  0\n"
            + "# Avg bus bandwidth    : 0.01\n";
    MeasuredRun run =
        read(
            "[1,1]<stderr>: a warning of another rank\n"
                + tag
                + "# Collective test starting: all_reduce_perf\n"
                + table.replaceAll("(?m)^", tag));
    assertEquals(OptionalInt.of(2), run.nodes());
    assertEquals(List.of(20.0), run.measurements().stream().map(Measurement::timeUs).toList());
    assertEquals(List.of(), run.doubts());
  }

  /** Some sizes are left out in the middle: the missing end is no sign that the run stopped. */
  @Test
  void anExcerptIsNoRunThatStopped() {
    String head = "# Collective test starting: all_reduce_perf\n" + DEVICES;
    String row = "  %d  8  float  sum  -1  20.00  0.00  0.01  0  21.00  0.00  0.00  0\n";
    String most = head.replace("maxBytes 64", "maxBytes 4096");
    assertEquals(1, read(most + row.formatted(1) + row.formatted(8)).failures().size());
    MeasuredRun excerpt = read(most + row.formatted(1) + row.formatted(64));
    assertEquals(List.of(), excerpt.failures());
    assertTrue(excerpt.remarks().toString().contains("excerpt"), excerpt.remarks().toString());
  }

  /** One wrong element is enough; below 1 is the error that versions before 2.12 print. */
  @Test
  void wrongResultsAndRunsThatWereCutOffAreDoubts() {
    String rows =
        "  64  8  float  sum  -1  20.00  0.00  0.01  4e-07  21.00  0.00  0.00  0\n"
            + "  128  8  float  sum  -1  20.00  0.00  0.01  1  21.00  0.00  0.00  0\n"
            + "  256  8  float  sum  -1  20.00  0.01  0.01  0  21.00  0.01  0.01  1e+06\n";
    MeasuredRun run = read("# Collective test starting: all_reduce_perf\n" + DEVICES + rows);
    assertEquals(1, run.measurements().size());
    assertEquals(List.of(128L, 256L), run.wrong().stream().map(Measurement::sizeBytes).toList());
    assertTrue(run.doubts().get(0).startsWith("2 of 3 results were wrong"), run.doubts().get(0));
    assertTrue(run.doubts().get(1).contains("cut off"), run.doubts().get(1));
    MeasuredRun json = read(JSON.replace("\"time\": 13}", "\"time\": 13, \"nwrong\": 2}"));
    assertEquals(1, json.wrong().size());
    assertEquals("has wrong results only (#wrong)", json.emptyReason());
  }

  private static final String TEST = "# Collective test starting: all_reduce_perf\n";
  private static final String ROW =
      "  1048576  262144  float  sum  -1  52.10  20.13  20.13  0  51.90  20.20  20.20  0\n";
  private static final String END = "# Avg bus bandwidth    : 35\n";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "with 1 GPU a thread (nGpus) | nThread 1 nGpus 2 | nThread 2 nGpus 1",
        "of CUDA graphs | step: 8(factor) warmup | step: 8(factor) graph: 10 warmup",
        "of 2 hosts | Pid   3801 on         vm device  1 | Pid   3801 on         vm2 device  1",
      })
  void runsOfOtherKindsAreRefusedInAnyOrder(String what, String from, String to) {
    String one = TEST + DEVICES + ROW + END;
    String other = one.replace(from, to);
    assertTrue(error(one + other).startsWith("file:13:1: a run " + what), error(one + other));
    assertTrue(error(other + one).startsWith("file:13:1: a run "), error(other + one));
    assertEquals(2, read(one + one).measurements().size());
    assertEquals(2, read(other + other).measurements().size());
  }

  /** As in the measurements of two and four GPUs, each by one process. */
  @Test
  void oneThreadMayLaunchForMoreGpusInOneRunThanInAnother() {
    String two = TEST + DEVICES + ROW + END;
    String four =
        two.replace("nGpus 2", "nGpus 4")
            .replace("20.13  20.13", "20.13  30.20")
            .replace("20.20  20.20", "20.20  30.30")
            .replace(
                "# Using devices\n",
                "# Using devices\n#  Rank  2 Pid 1 on vm device  2 x\n#  Rank  3 Pid 1 on vm device  3 x\n");
    for (String both : List.of(two + four, four + two)) {
      assertEquals(OptionalInt.of(4), read(both).gpusPerProcess());
      assertEquals(2, read(both).gpuCounts().size());
    }
  }

  /** As {@code ts} and {@code cat -n} put them there. */
  @Test
  void numbersInTagsMayChange() {
    String[] lines = (TEST + DEVICES + ROW + ROW + END).split("\n");
    StringBuilder times = new StringBuilder();
    StringBuilder numbers = new StringBuilder();
    for (int i = 0; i < lines.length; i++) {
      times.append("14:00:0").append(i).append(' ').append(lines[i]).append('\n');
      numbers.append(String.format("%6d\t%s\n", i, lines[i]));
    }
    assertEquals(2, read(times.toString()).measurements().size());
    assertEquals(2, read(numbers.toString()).measurements().size());
    assertEquals(List.of(), read(times.toString()).doubts());
    assertEquals(1 << 20, read(numbers.toString()).measurements().get(1).sizeBytes());
  }

  @Test
  void anotherRunEndsTheNameAndTheWholenessOfTheOneBefore() {
    String old = DEVICES + ROW + END;
    assertTrue(error(TEST + DEVICES + ROW + END + old).contains("name the collective"));
    List<String> doubts = read(TEST + DEVICES + ROW + TEST + DEVICES + ROW + END).doubts();
    assertTrue(doubts.get(0).contains("cut off"), doubts.toString());
  }

  @Test
  void callsThatPredictionsAreNotOfAreDoubts() {
    String aggregated = DEVICES.replace("warmup iters: 5", "warmup iters: 5 agg iters: 20");
    assertTrue(read(TEST + aggregated + ROW + END).doubts().get(0).startsWith("ran with -m 20"));
    String blocking = "# Blocking Enabled: wait after each inner iteration (-m), no barrier\n";
    assertTrue(read(TEST + DEVICES + blocking + ROW + END).doubts().get(0).contains("-z"));
    String json = JSON.replace("\"ngpus\": 1", "\"ngpus\": 1, \"aggregated_iterations\": 3");
    assertTrue(read(json).doubts().get(0).startsWith("ran with -m 3"));
  }

  @Test
  void otherTypesAndOperatorsThanPredictedAreDoubts() {
    String rows = ROW.replace("float  sum", "double  prod");
    assertTrue(
        read(TEST + DEVICES + rows + rows + END)
            .doubts()
            .get(0)
            .startsWith("is of double and prod:"));
    String none =
        ROW.replace("float  sum", "half  none")
            .replace("20.13  20.13", "20.13  10.06")
            .replace("20.20  20.20", "20.20  10.10");
    assertTrue(
        read(TEST.replace("reduce", "gather") + DEVICES + none + END)
            .doubts()
            .get(0)
            .startsWith("is of half: "));
    String json =
        JSON.replace("\"size\": 64,", "\"size\": 64, \"type\": \"bfloat16\", \"redop\": \"sum\",");
    assertTrue(read(json).doubts().get(0).startsWith("is of bfloat16 and sum"));
  }

  /** Before 2.12 the rows do not tell which results were wrong. */
  @Test
  void wrongResultsThatOnlyTheLastLinesTellOfAreThoseOfAllRows() {
    MeasuredRun run = read(TEST + DEVICES + ROW + "# Out of bounds values : 2 FAILED\n" + END);
    assertEquals(1, run.wrong().size());
    assertEquals(List.of(), run.measurements());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "algbw 20.13 | 52.10 | 0.0521",
        "algbw 35.22 | 20.13  20.13 | 35.22  20.13",
        "busbw 35.22 contradicts the time: all_reduce of 1048576 B on 2 GPUs in 52.1 us are 20.13 GB/s | 20.13  20.13 | 20.13  35.22",
        "busbw 30.3 contradicts the time: all_reduce of 1048576 B on 2 GPUs in 51.9 us are 20.20 GB/s | 20.20  20.20 | 20.20  30.30",
        "redop none | sum | none",
        "is listed twice | Rank  1 | Rank  0",
      })
  void rowsThatCannotBeSoAreRefused(String what, String from, String to) {
    String text = TEST + DEVICES + ROW + END;
    assertTrue(error(text.replace(from, to)).contains(what), error(text.replace(from, to)));
  }

  @Test
  void faultsOfJsonHaveTheirPlace() {
    String wrong = JSON.replace("\"time\": 13}", "\"time\": 13, \"bus_bw\": 7}");
    String message = error(wrong);
    int line = (int) wrong.substring(0, wrong.indexOf("bus_bw")).lines().count();
    assertTrue(message.startsWith("file:" + line + ":"), message);
    assertTrue(message.contains(": results[1]: busbw 7.0 contradicts the time"), message);
    String missing = "{\"config\": {\"devices\": []},\n \"results\": [1,\n  {\"size\": \"x\"}]}";
    assertTrue(error(missing).startsWith("file:1:1: args name no collective"), error(missing));
    String inside =
        missing.replace("{\"config\"", "{\"args\": [\"all_reduce_perf\", 7],\n \"config\"");
    assertTrue(error(inside).startsWith("file:1:30: args[1] is 7: expected a text"), error(inside));
    String size = inside.replace(", 7]", "]").replace("[1,", "[");
    assertTrue(error(size).startsWith("file:4:12: results[0].size is "), error(size));
    String none = size.replace("size", "sze");
    assertTrue(error(none).startsWith("file:4:3: results[0].size is missing"), error(none));
  }

  /** No expression tries each place of a line again, whatever is repeated in it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{x}",
        "{ }x",
        "{1 }x",
        "8 2 float {x} NCCL",
        "8 2 float {NCCL }",
        "8 2 float sum -1 {1.5 }",
        "# nThread 1 nGpus 2 {agg iters: }",
        "# nThread 1 nGpus 2 {graph: }",
        "# nThread{ }1",
        "# Rank 0{ }Pid",
        "# Rank 0 Pid 1 on {x}",
        "# Out of bounds values : 1{ }OK",
        "# {size }count",
        "# a{ }",
        "{1,}<stdout>:# nThread 1 nGpus 1",
        "{1 }:# nThread 1 nGpus 1",
        "{#}"
      })
  void theWorkForALongLineGrowsWithItsLength(String line) {
    String[] parts = line.split("[{}]", -1);
    Growth.assertLinear(
        "characters read of " + line,
        1_000,
        n -> {
          CountedText text = new CountedText(parts[0] + parts[1].repeat(n) + parts[2]);
          try {
            new NcclTestsTextReader("file", RunHints.NOTHING)
                .read(List.of(text), true, RunOrigin.UNKNOWN);
          } catch (TopologyFormatException e) {
            // A row with numbers that contradict each other.
          }
          return text.reads();
        });
  }

  /** The line is the name of a collective in CSV, or no measurement at all. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "collective,gpus,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n"
      })
  void theMemoryForALongLineGrowsWithItsLength(String before) {
    Growth.assertLinear(
        "bytes allocated",
        100_000,
        n -> {
          String text = before + "x".repeat(n) + ",2,,,8,1,1";
          return Growth.bytesAllocated(n, length -> error(text));
        });
  }

  @Test
  void aLineThatIsNoMeasurementIsRefused() {
    assertTrue(error("x".repeat(2_000)).contains("has no measurement"));
    String csv = "collective,gpus,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us";
    assertTrue(error(csv + "\nxx,2,,,8,1,1").startsWith("file:2:1: collective"));
  }

  @Test
  void aRowThatEndsWithTheFileOrInNcclsLogIsLeftOut() {
    String text = TEST + DEVICES + ROW;
    for (String cut : List.of("  2097152  524288  float  sum  -1  60.00  34.95  34.95  0  6")) {
      assertEquals(1, read(text + cut).measurements().size());
    }
    MeasuredRun run =
        read(text + ROW.substring(0, 40) + "vm:1:1 [0] NCCL INFO AllReduce: x y z a b c d\n" + END);
    assertEquals(1, run.measurements().size());
    assertEquals(List.of("1 row torn by NCCL's log (NCCL_DEBUG): left out"), run.doubts());
  }

  @Test
  void moreGpusThanTheJobHasAreRefused() {
    RunHints unsaid =
        new RunHints(Optional.of(Collective.ALL_REDUCE), OptionalInt.of(4), Optional.empty());
    String message =
        assertThrows(
                TopologyFormatException.class,
                () -> RunReader.read("# nThread 1 nGpus 8 minBytes 8\n" + ROW, "file", unsaid))
            .getMessage();
    assertTrue(message.contains("nThread 1 nGpus 8: more GPUs than the 4 of the job"), message);
  }

  /** A file or folder may be called like a test. */
  @Test
  void theProgramNamesTheTest() {
    assertEquals(
        Collective.REDUCE_SCATTER,
        read(JSON.replace("\"-g\"", "\"-J\", \"/data/all_gather\""))
            .measurements()
            .get(0)
            .collective());
    assertEquals(1, read(JSON.replace("\"-g\"", "\"/data/scatter\"")).measurements().size());
    String run = JSON.replace("\"./build/reduce_scatter_perf\"", "\"topo\", \"run\", \"reduce\"");
    assertEquals(Collective.REDUCE, read(run).measurements().get(0).collective());
  }

  /** nccl-tests before 2.16 names no test, has no groups and no column of roots. */
  @Test
  void whatAnOldTableDoesNotTellIsTaken() {
    String old =
        " 1048576  262144  float  sum  52.1  20.13  35.22  1e-06  51.9  20.2  35.3  1e-06\n";
    assertTrue(error("# nThread 1 nGpus 8 minBytes 8\n" + old).contains("how many GPUs"));
    Pair pair = new Pair(Algorithm.TREE, Protocol.LL);
    MeasuredRun run =
        RunReader.read(
            old,
            "file",
            new RunHints(Optional.of(Collective.ALL_REDUCE), OptionalInt.of(8), Optional.of(pair)));
    assertEquals(52.1, run.measurements().get(0).timeUs());
    assertEquals(51.9, run.measurements().get(0).inPlaceTimeUs());
    assertEquals(Optional.of(pair), run.measurements().get(0).forced());
    assertEquals(OptionalInt.empty(), run.gpusPerProcess());
  }

  @Test
  void readsTheJsonOfNcclTests() {
    MeasuredRun run = read(JSON);
    Measurement one = run.measurements().get(0);
    assertEquals(Collective.REDUCE_SCATTER, one.collective());
    assertEquals(2, one.nGpus());
    assertEquals(Optional.of(new Pair(Algorithm.RING, Protocol.LL128)), one.forced());
    assertEquals(12.5, one.timeUs());
    assertEquals(13, one.inPlaceTimeUs());
    assertEquals(1, run.passedOver());
    assertEquals(OptionalInt.of(2), run.nodes());
    assertEquals(OptionalInt.of(1), run.gpusPerProcess());
    assertEquals(java.util.Map.of("NCCL_CROSS_NIC", "0"), run.settings().values());
  }

  @Test
  void readsAResultOfVerify() {
    MeasuredRun run =
        read(
            """
            {"format": "topo-result", "version": 1, "settings": {"NCCL_NVLS_ENABLE": "0"},
             "ranks": 4, "nodes": 1,
             "devices": [{"host": "a", "pid": 1}, {"host": "a", "pid": 1}, {"host": "a", "pid": 2}, {"host": "a", "pid": 2}],
             "systems": ["<system/>"],
             "measurements": [
               {"collective": "all_reduce", "algorithm": "Ring", "protocol": "LL", "forced": false,
                "bytes": 8, "timeUs": 25.5, "timeUsInPlace": 25},
               {"collective": "all_reduce", "algorithm": "Tree", "protocol": "Simple", "forced": true,
                "bytes": 8, "timeUs": 35.5, "timeUsInPlace": 35}]}
            """);
    assertEquals(Optional.empty(), run.measurements().get(0).forced());
    assertEquals(
        Optional.of(new Pair(Algorithm.TREE, Protocol.SIMPLE)), run.measurements().get(1).forced());
    assertEquals(OptionalInt.of(2), run.gpusPerProcess());
    assertEquals(List.of("<system/>"), run.systems());
  }

  @Test
  void readsCsv() {
    MeasuredRun run =
        read(
            "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n"
                + "4,all_reduce,,,8,10,11\n4,sendrecv,,,8,10,11\n");
    assertEquals(1, run.measurements().size());
    assertEquals(1, run.passedOver());
  }

  @Test
  void saysWhatIsWrongAndWhere() {
    assertTrue(error("").startsWith("file: has no measurement, expected output of nccl-tests"));
    assertTrue(
        error("gpus;collective;bytes\n4;reduce;8\n")
            .equals("file:1:1: semicolons separate the columns, expected commas"));
    assertTrue(error("hello\nworld\n").contains("has no measurement"));
    assertTrue(error("{\"a\": ").startsWith("file:1:"), error("{\"a\": "));
    assertTrue(error("{\"a\": 1}").contains("has no results[] and config"));
    assertTrue(error(JSON.replace("\"size\": 64, ", "")).contains("results[1].size is missing"));
    assertTrue(
        error(JSON.replace("12.5", "\"fast\""))
            .contains("results[1].out_of_place.time is \"fast\": expected a number"));
    assertTrue(error(JSON.replace("12.5", "-1")).contains("results[1]: "));
    assertTrue(error(JSON.replace("reduce_scatter", "some")).contains("args name no collective"));
    assertTrue(
        error("{\"format\": \"topo-result\", \"version\": 7}")
            .contains("version is 7: expected 1"));
    String row = "  64  8  float  sum  -1  x  0.00  0.01  0  21.00  0.00  0.00  0\n";
    assertTrue(
        error("# Collective test starting: all_reduce_perf\n" + DEVICES + row)
            .startsWith("file:6:1: \"64 8 float"));
    assertTrue(
        error("# Collective test starting: some_perf\n" + DEVICES + row.replace("x", "9"))
            .contains("the test some_perf is not known"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'#wrong' | '' | ''",
        "'#wrong' | 'estimate' | 12.5",
        "'#wrong' | 'timestamp' | 2026-11-22 05:00:00",
        "'#wrong  i_min  i_max  i_p99  i_cv%' | '' | ''",
        "'#wrong  i_min  i_max  i_p99  i_cv%' | 'timestamp' | 2026-11-22 05:00:00",
      })
  void furtherColumnsStandBehindAndBetweenTheTimes(String wrong, String behind, String value) {
    String more = wrong.contains("i_min") ? "  18.00  29.00  28.00  3.10" : "";
    MeasuredRun run =
        read(
            "# Collective test starting: all_reduce_perf\n"
                + DEVICES
                + String.format(
                    "#  size  count  type  redop  root  time  algbw  busbw  %s  time  algbw  busbw  %s  %s\n",
                    wrong, wrong, behind)
                + String.format(
                    "  64  8  float  sum  -1  20.00  0.00  0.01  0%s  21.00  0.00  0.00  0%s  %s\n",
                    more, more, value));
    assertEquals(20, run.measurements().get(0).timeUs());
    assertEquals(21, run.measurements().get(0).inPlaceTimeUs());
    assertEquals(List.of(), run.wrong());
  }

  /** As spreadsheets write it. */
  @Test
  void aByteOrderMarkIsPassedOver(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("result.json");
    Files.writeString(file, "\ufeff" + JSON);
    assertEquals(1, RunReader.read(file, RunHints.NOTHING, new Inputs()).measurements().size());
    Files.writeString(
        file,
        "\ufeffgpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n4,reduce,,,8,1,2\n");
    assertEquals(1, RunReader.read(file, RunHints.NOTHING, new Inputs()).measurements().size());
  }

  @Test
  void timesOfQueueingAreRefused() {
    assertTrue(
        error(
                "# Collective test starting: all_reduce_perf\n"
                    + DEVICES
                    + "#  size  count  type  redop  root  cputime  algbw  busbw  #wrong  cputime  algbw  busbw  #wrong\n"
                    + "  64  8  float  sum  -1  20.00  0.00  0.01  0  21.00  0.00  0.00  0\n")
            .contains("ran with -C"));
    assertTrue(error(JSON.replace("\"time\"", "\"cpu_time\"")).contains("ran with -C"));
  }

  @Test
  void hostsAreThoseOfOneCommunicator() {
    MeasuredRun run =
        read(
            JSON.replace(
                "{\"rank\": 1, \"group\": 0, \"hostname\": \"b\"}",
                "{\"rank\": 1, \"group\": 1, \"hostname\": \"b\"}"));
    assertEquals(OptionalInt.of(1), run.nodes());
    assertEquals(1, run.measurements().get(0).nGpus());
  }

  /** As mpirun --tag-output writes it: nccl-tests prints a row in pieces. */
  @ParameterizedTest
  @ValueSource(strings = {"[0]", "[1,0]<stdout>:"})
  void tagsInsideRowsAreNoCells(String tag) {
    String row = ROW.replace("-1 ", "-1" + tag + " ").replaceFirst(" 0 +(?=\\d)", " 0" + tag + " ");
    String run = TEST + DEVICES + row + END;
    String tagged = run.lines().map(line -> tag + line + "\n").collect(Collectors.joining());
    assertEquals(read(TEST + DEVICES + ROW + END).measurements(), read(tagged).measurements());
    assertEquals(1, read(TEST + DEVICES + tag + row + END).measurements().size());
  }
}
