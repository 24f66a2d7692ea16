package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.run.Average;
import dev.topo.hw.run.CallResult;
import dev.topo.hw.run.IterationTimes;
import dev.topo.hw.run.MemoryUse;
import dev.topo.hw.run.ProcessLayout;
import dev.topo.hw.run.Repetition;
import dev.topo.hw.run.Reporting;
import dev.topo.hw.run.Row;
import dev.topo.hw.run.RunCalls;
import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.RunEvent;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.SizeSweep;
import dev.topo.hw.run.Turn;
import dev.topo.hw.run.UsedDevice;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.visualizer.hardware.NcclTestsJson;
import dev.topo.visualizer.hardware.NcclTestsReport;
import dev.topo.visualizer.hardware.RunSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What was measured, printed, is what nccl-tests printed: line by line where both have the line.
 */
class NcclTestsTextTest {
  private static final Path MEASURED =
      Path.of(System.getProperty("topo.root")).resolve("src/test/resources/measured/h200-x4-run");
  private static final int COLUMNS = 13;

  private static RunRequest request(RunCollective collective) {
    return RunRequest.of(
        RunCalls.ofFloatSums(List.of(collective), new SizeSweep(8, 1L << 30, 1 << 20, 4)),
        new Repetition(20, 1, 5, 1, 1, Repetition.DEFAULTS.blocking(), 0),
        Reporting.DEFAULTS,
        ProcessLayout.ofOneThread(4),
        300,
        Optional.empty());
  }

  private static List<String> lines(RunCollective collective) throws IOException {
    return Files.readAllLines(MEASURED.resolve(collective.label() + ".nccl-tests.txt"));
  }

  private static Row row(RunCollective collective, String line) {
    String[] column = line.strip().split("\\s+");
    return new Row(
        collective,
        Long.parseLong(column[0]),
        Long.parseLong(column[1]),
        DataType.ofLabel(column[2]).orElseThrow(),
        column[3],
        Integer.parseInt(column[4]),
        measurement(column, 5),
        measurement(column, 9),
        Turn.ONLY);
  }

  private static CallResult measurement(String[] column, int first) {
    return new CallResult(
        Double.parseDouble(column[first]),
        0,
        Double.parseDouble(column[first + 1]),
        Double.parseDouble(column[first + 2]),
        OptionalLong.of(Long.parseLong(column[first + 3])),
        OptionalDouble.empty(),
        Optional.empty(),
        IterationTimes.NONE);
  }

  private static boolean isRow(String line) {
    return !line.startsWith("#") && line.strip().split("\\s+").length == COLUMNS;
  }

  @ParameterizedTest
  @EnumSource(names = {"ALL_REDUCE", "REDUCE_SCATTER"})
  void rowsAreThoseOfNcclTests(RunCollective collective) throws IOException {
    NcclTestsReport text = new NcclTestsReport(request(collective), false);
    int rows = 0;
    for (String line : lines(collective)) {
      if (isRow(line)) {
        assertEquals(line + "\n", text.row(row(collective, line), ""));
        rows++;
      }
    }
    assertEquals(14, rows);
  }

  @ParameterizedTest
  @EnumSource(names = {"ALL_REDUCE", "REDUCE_SCATTER"})
  void headAndFootAreThoseOfNcclTests(RunCollective collective) throws IOException {
    List<String> theirs = lines(collective);
    List<Row> rows = new ArrayList<>();
    theirs.stream().filter(NcclTestsTextTest::isRow).forEach(l -> rows.add(row(collective, l)));
    List<UsedDevice> devices = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      devices.add(
          new UsedDevice(
              rank, 0, 2000, "vm", rank, "0000:00:0" + (6 + rank) + ".0", "NVIDIA H200"));
    }
    NcclTestsReport text = new NcclTestsReport(request(collective), false);
    String ours =
        text.head(new RunEvent.Started(22809, "libnccl.so.2", devices, List.of(""), 1L << 30))
            + text.foot(RunSummary.of(rows, OptionalDouble.empty()), new MemoryUse(0, 0, 0));
    // The first line names versions, the devices a process, and the mean is of unrounded numbers.
    List<String> comparable =
        theirs.stream()
            .filter(line -> line.startsWith("#"))
            .skip(1)
            .map(NcclTestsTextTest::withoutAccident)
            .toList();
    assertEquals(comparable, ours.lines().skip(1).map(NcclTestsTextTest::withoutAccident).toList());
  }

  /** Scripts read this line; one wrong measurement is enough. */
  @ParameterizedTest
  @CsvSource({"0, 0 OK", "1, 1 FAILED", "2, 2 FAILED"})
  void theFootSaysWhetherResultsAreWrong(int wrong, String expected) {
    String foot =
        new NcclTestsReport(request(RunCollective.ALL_REDUCE), false)
            .foot(new RunSummary(wrong, 100, OptionalDouble.empty()), new MemoryUse(0, 0, 0));
    assertEquals("# Out of bounds values : " + expected, foot.lines().findFirst().orElseThrow());
  }

  private static String withoutAccident(String line) {
    return line.replaceFirst("Pid +\\d+", "Pid")
        .replaceFirst("(Avg bus bandwidth +: \\d+\\.?\\d?)\\d*", "$1");
  }

  /** Heading and rows of {@code -S 1}, which end in the time of day. */
  @Test
  void timesOfDayAreThoseOfNcclTests() throws IOException {
    NcclTestsReport text = new NcclTestsReport(request(RunCollective.ALL_REDUCE), true);
    List<String> theirs = Files.readAllLines(MEASURED.resolve("x2.all_reduce.timestamps.txt"));
    List<String> ours =
        text.head(new RunEvent.Started(22809, "libnccl.so.2", List.of(), List.of(""), 1L << 30))
            .lines()
            .toList();
    for (String unit : List.of("# +size +count.*", "# +\\(B\\).*")) {
      assertEquals(
          theirs.stream().filter(line -> line.matches(unit)).toList(),
          ours.stream().filter(line -> line.matches(unit)).toList());
    }
    List<String> rows = theirs.stream().filter(line -> line.matches(" +\\d.*")).toList();
    assertEquals(4, rows.size());
    for (String line : rows) {
      String time = line.substring(line.length() - 19);
      String row = line.substring(0, line.length() - 21);
      assertEquals(line + "\n", text.row(row(RunCollective.ALL_REDUCE, row), time));
    }
  }

  /** Heading and row of {@code -I 1 -K 1}; times as {@code computeIterStats} summarises them. */
  @Test
  void timesOfIterationsStandBesideEachSide() throws IOException {
    RunRequest plain = request(RunCollective.ALL_REDUCE);
    RunRequest request =
        RunRequest.of(
            plain.calls(),
            plain.repetition(),
            new Reporting(Average.MEAN, false, false, false, true, 1),
            plain.use(),
            300,
            Optional.empty());
    NcclTestsReport text = new NcclTestsReport(request, false);
    RunEvent.Started started =
        new RunEvent.Started(22809, "libnccl.so.2", List.of(), List.of(""), 1L << 30);
    String head = text.head(started);
    assertTrue(
        head.contains(
            "# Per-Iteration Report: CUDA event timing; i_* uses max over process rows;"
                + " summary skips first 1 iterations \n"));
    assertTrue(
        head.contains(
            "#       size         count      type   redop    root     time   algbw   busbw  #wrong"
                + "    i_min    i_max    i_p99    i_cv%     time   algbw   busbw  #wrong"
                + "    i_min    i_max    i_p99    i_cv% \n"));
    CallResult one =
        new CallResult(
            20,
            0,
            1,
            2,
            OptionalLong.of(0),
            OptionalDouble.empty(),
            Optional.empty(),
            new IterationTimes(List.of(List.of(90.0, 10.0, 20.0), List.of(5.0, 5.0, 30.0))));
    Row row =
        new Row(RunCollective.ALL_REDUCE, 4, 1, DataType.FLOAT32, "sum", -1, one, one, Turn.ONLY);
    String side = "    20.00    1.00    2.00       0    10.00    30.00    30.00    50.00";
    assertEquals(
        "           4             1     float     sum      -1" + side + side + "\n",
        text.row(row, ""));
    StringBuilder json = new StringBuilder();
    NcclTestsJson.of(
            request,
            started,
            List.of(row),
            RunSummary.of(List.of(row), OptionalDouble.empty()),
            new NcclTestsJson.Circumstances(List.of(), Map.of(), "", ""))
        .writeTo(json);
    JsonNode each = new JsonMapper().readTree(json.toString()).at("/results/0/in_place_per_iter");
    assertEquals(1, each.get("skipped_iterations").intValue());
    assertEquals(20, each.get("avg_us").doubleValue());
    assertEquals(10, each.get("stdev_us").doubleValue());
    assertEquals("[90.0,10.0,30.0]", each.get("times_us").toString());
    assertEquals(
        "[[90.0,10.0,20.0],[5.0,5.0,30.0]]", each.get("per_process_max_times_us").toString());
  }

  @Test
  void numbersThatDoNotFitLoseDecimals() {
    CallResult one =
        new CallResult(
            123456.78,
            0,
            0.004,
            12345.678,
            OptionalLong.of(1_234_567),
            OptionalDouble.empty(),
            Optional.empty(),
            IterationTimes.NONE);
    Row row =
        new Row(RunCollective.ALL_REDUCE, 4, 1, DataType.FLOAT32, "sum", -1, one, one, Turn.ONLY);
    assertEquals(
        "           4             1     float     sum      -1   123457    0.00   12346  1.23457e+06"
            + "   123457    0.00   12346  1.23457e+06\n",
        new NcclTestsReport(request(RunCollective.ALL_REDUCE), false).row(row, ""));
  }
}
