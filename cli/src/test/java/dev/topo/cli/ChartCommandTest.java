package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code topo chart} draws and how it fails. */
class ChartCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path MEASURED = ROOT.resolve("src/test/resources/measured");
  private static final String X4 = MEASURED.resolve("h200-x4.csv").toString();
  private static final String X4_MACHINE = MEASURED.resolve("h200-x4.topo.xml").toString();
  private static final String X2 = MEASURED.resolve("h200-x2.csv").toString();
  private static final String X2_MACHINE = MEASURED.resolve("h200-x2.topo.xml").toString();
  private static final String NO_NVLS = "NCCL_NVLS_ENABLE=0";

  @TempDir private Path folder;

  @BeforeAll
  static void needsFonts() {
    Fonts.assumeThere();
  }

  private static String done(String... args) {
    CliRun run = CliRun.of(args);
    assertEquals("", withoutProcesses(run.err()));
    assertEquals(ExitStatus.DONE, run.status());
    return run.out();
  }

  /** Our CSV does not tell that one process launched for all GPUs, and that is what is taken. */
  private static String withoutProcesses(String err) {
    return err.replaceAll("topo: note: .* does not contain the number of GPUs .*\n", "");
  }

  private static String chart(String... options) {
    String[] args = new String[options.length + 6];
    List<String> first = List.of("chart", X4, "--machine", X4_MACHINE, "--env", NO_NVLS);
    for (int i = 0; i < args.length; i++) {
      args[i] = i < first.size() ? first.get(i) : options[i - first.size()];
    }
    return done(args);
  }

  private static void assertSays(String svg, String... texts) {
    for (String text : texts) {
      assertTrue(svg.contains(">" + text + "<"), text);
    }
  }

  @Test
  void busbwHasMeasuredPredictedAndNccl() {
    String svg = chart("--collective", "all_reduce,all_gather");
    assertSays(svg, "h200-x4, AllReduce", "h200-x4, AllGather");
    assertSays(svg, "measured", "predicted by topo", "NCCL's own model");
    assertSays(svg, "16 B", "64 KiB", "1 MiB", "4 GiB");
    assertEquals(svg, chart("--collective", "all_reduce,all_gather"));
  }

  @Test
  void theChartInTheDocumentsShowsTheSame() throws IOException {
    // Not compared byte by byte: where labels stand depends on the fonts of the host.
    assertSays(
        Files.readString(ROOT.resolve("docs/chart-h200-x4.svg")),
        "h200-x4, AllReduce",
        "h200-x4, AllGather",
        "measured",
        "predicted by topo",
        "NCCL's own model");
  }

  @Test
  void pairsHaveTheChoiceAndItsRegret() {
    String svg = chart("--collective", "all_gather", "--show", "pairs");
    assertSays(svg, "Ring LL", "Ring LL128", "Ring Simple", "NCCL's choice", "regret");
  }

  @Test
  void machinesStandSideBySide() {
    String svg =
        done(
            "chart",
            X4,
            X2,
            "--machine",
            X4_MACHINE,
            "--machine",
            X2_MACHINE,
            "--env",
            NO_NVLS,
            "--show",
            "error",
            "--collective",
            "all_reduce");
    assertSays(svg, "h200-x4, AllReduce", "h200-x2, AllReduce");
  }

  @Test
  void readsWhatNcclTestsPrints() throws IOException {
    Path text = folder.resolve("run.txt");
    Files.writeString(
        text,
        """
        # Collective test starting: all_reduce_perf
        #  Rank  0 Group  0 Pid    100 on       host device  0 [0000:00:06] NVIDIA H200
        #  Rank  1 Group  0 Pid    100 on       host device  1 [0000:00:07] NVIDIA H200
        #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
             1048576        262144     float     sum      -1    20.00   52.43   52.43      0    21.00   49.93   49.93      0
             2097152        524288     float     sum      -1    30.00   69.91   69.91      0    31.00   67.65   67.65      0
        # Avg bus bandwidth    : 59.9
        """);
    assertSays(done("chart", text.toString()), "run, AllReduce", "measured");
    Files.writeString(text, "# Collective test starting: all_reduce_perf\n 1 2 3\n");
    CliRun damaged = CliRun.of("chart", text.toString());
    assertEquals(ExitStatus.BAD_INPUT, damaged.status());
    assertTrue(damaged.err().contains("run.txt: has no measurement, expected"), damaged.err());
  }

  @Test
  void readsWhatRunAndVerifyWrite() {
    for (String file : List.of("verify.json", "all_reduce.processes.json")) {
      String path = MEASURED.resolve("h200-x4-run").resolve(file).toString();
      String svg = done("chart", path, "--machine", X4_MACHINE, "--collective", "all_reduce");
      assertSays(
          svg,
          file.replace(".json", "") + ", AllReduce",
          "measured",
          "predicted by topo",
          "NCCL's own model");
    }
  }

  @Test
  void constantsAreThoseOfTheMachine() throws IOException {
    Path rows = folder.resolve("l40s.csv");
    Files.writeString(
        rows,
        "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n"
            + "4,all_reduce,,,1048576,200,200\n4,all_reduce,,,16777216,2000,2000\n");
    String machine = ROOT.resolve("topologies/l40s-4.xml").toString();
    CliRun own = CliRun.of("chart", rows.toString(), "--machine", machine);
    assertEquals(ExitStatus.DONE, own.status(), own.err());
    CliRun pcie =
        CliRun.of("chart", rows.toString(), "--machine", machine, "--calibration", "pcie");
    CliRun h200 =
        CliRun.of("chart", rows.toString(), "--machine", machine, "--calibration", "h200-nvswitch");
    assertNotEquals(h200.out(), pcie.out());
    assertNotEquals(h200.out(), own.out());
    CliRun none = CliRun.of("chart", X4, "--machine", X4_MACHINE, "--calibration", "none");
    assertEquals(
        "topo: note: not calibrated (as requested): times predicted are those of NCCL's own model\n",
        withoutProcesses(none.err()));
    assertSays(none.out(), "predicted by topo, not calibrated");
  }

  /** Declared as a chain, with the data over the switch that is there. */
  @Test
  void declaredMachinesAreChartedOverTheActualOne() {
    String[] declared = {
      "chart",
      MEASURED.resolve("declared-chain.csv").toString(),
      "--machine",
      MEASURED.resolve("declared-chain.topo.xml").toString(),
      "--env",
      NO_NVLS,
      "--collective",
      "all_reduce",
      "--ranks-per-process=4",
      "--actual",
      X4_MACHINE
    };
    CliRun run = CliRun.of(declared);
    assertEquals("", run.err());
    assertSays(run.out(), "predicted by topo");
    declared[declared.length - 1] = X2_MACHINE;
    CliRun other = CliRun.of(declared);
    assertEquals(ExitStatus.BAD_INPUT, other.status());
    assertTrue(
        other.err().contains("2 GPUs, but the declared machine (" + declared[3] + ") has 4"),
        other.err());
  }

  @Test
  void pngIsTheSameEveryTime() throws IOException {
    Path one = folder.resolve("a.png");
    Path two = folder.resolve("b.png");
    done("chart", X4, "--collective", "reduce", "-o", one.toString());
    done("chart", X4, "--collective", "reduce", "-o", two.toString());
    assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(two));
  }

  @Test
  void sendsAndReceivesAreDrawnWithTheirRange() {
    String svg = chart("--collective", "alltoall,sendrecv");
    assertSays(svg, "h200-x4, AlltoAll", "h200-x4, SendRecv");
    assertSays(svg, "measured", "predicted by topo", "90 of 100 runs");
    assertFalse(svg.contains("NCCL's own model"), svg);
    assertSays(chart("--collective", "alltoall", "--show", "error"), "predicted by topo");
  }

  @Test
  void whatCannotBeDrawnIsRefused() throws IOException {
    CliRun other = CliRun.of("chart", X4, "--machine", X2_MACHINE);
    assertEquals(ExitStatus.BAD_INPUT, other.status());
    assertTrue(other.err().endsWith("measured on 4 GPUs, but --machine has 2\n"), other.err());
    CliRun bad = CliRun.of("chart", Files.writeString(folder.resolve("bad.json"), "{").toString());
    assertEquals(ExitStatus.BAD_INPUT, bad.status());
    assertTrue(
        bad.err()
            .endsWith(": is not JSON: Unexpected end-of-input: expected close marker for Object\n"),
        bad.err());
    String others =
        ROOT.resolve("src/test/resources/measured/h200-x4-run/alltoall.nccl-tests.txt").toString();
    CliRun none = CliRun.of("chart", others, "--collective", "reduce");
    assertEquals(ExitStatus.BAD_INPUT, none.status());
    assertTrue(none.err().startsWith("topo: " + others + ": has no measurement"), none.err());
    assertEquals(ExitStatus.USAGE, CliRun.of("chart", X4, "--show", "error").status());
    assertEquals(
        ExitStatus.USAGE,
        CliRun.of("chart", X4, "--machine", X4_MACHINE, "--calibration", "x").status());
    assertEquals(ExitStatus.BAD_INPUT, CliRun.of("chart", X4_MACHINE).status());
    assertEquals(ExitStatus.BAD_INPUT, CliRun.of("chart", "nowhere.csv").status());
  }

  @Test
  void scalingDrawsThePredictionsOfATable() throws IOException {
    Path table = folder.resolve("scaling.csv");
    done(
        "predict",
        ROOT.resolve("topologies/dgx-h100.xml").toString(),
        "--nodes=1,2,4,8",
        "--collective=all_reduce",
        "--sizes=1M,1G",
        "--format=csv",
        "-o",
        table.toString());
    String svg = done("chart", "--scaling", table.toString());
    assertSays(svg, "all_reduce, 1 MiB", "all_reduce, 1 GiB", "nodes", "90 of 100 runs", "8");
    Path other = Files.copy(table, folder.resolve("other.csv"));
    String two = done("chart", "--scaling", table.toString(), other.toString());
    assertSays(two, "scaling", "other");
    assertTrue(!two.contains("90 of 100 runs"), "the ranges of several tables hide each other");
  }

  @Test
  void predictionsAreDrawnWithoutMeasurements() {
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    String[] four = {"chart", "--machine", machine, "--nodes=4", "--sizes=1M:1G:4"};
    String all = done(four);
    assertSays(all, "dgx-h100 x 4", "AllReduce", "AllGather", "Reduce", "1 MiB", "256 MiB");
    assertFalse(all.contains("90 of 100 runs"), "the ranges of several curves hide each other");
    String one = done(with(four, "--collective=alltoall"));
    assertSays(one, "dgx-h100 x 4", "AlltoAll", "90 of 100 runs");
    String split = done(with(four, "--collective=all_reduce", "--split=0-23;24-31"));
    assertSays(split, "communicator 0 · dgx-h100 x 3", "communicator 1 · dgx-h100", "AllReduce");
    String both = done(with(four, "--machine", X4_MACHINE.replace("x4", "x2"), "--nccl=2.27.5"));
    assertSays(both, "dgx-h100 x 4", "h200-x2.topo x 4");
  }

  @Test
  void predictionsByNodesAreThoseOfTheTable() throws IOException {
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    String[] calls = {"--nodes=1,2,4", "--collective=all_reduce,alltoall", "--sizes=1M,1G"};
    Path table = folder.resolve("dgx-h100.csv");
    done(
        with(
            with(new String[] {"predict", machine}, calls),
            "--format=csv",
            "-o",
            table.toString()));
    List<String> ofTable = texts(done("chart", "--scaling", table.toString()));
    assertTrue(ofTable.containsAll(List.of("all_reduce, 1 GiB", "alltoall, 1 MiB", "dgx-h100")));
    assertEquals(
        ofTable, texts(done(with(with(new String[] {"chart", "--machine"}, machine), calls))));
  }

  @Test
  void measurementsOfSeveralNodesStandBesidePredictions() throws IOException {
    Path rows = folder.resolve("two.csv");
    Files.writeString(
        rows,
        "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n"
            + "16,all_reduce,,,1048576,90,90\n16,all_reduce,,,1073741824,5000,5000\n");
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    String[] chart = {"chart", rows.toString(), "--machine", machine};
    String svg = done(with(chart, "--nodes=2"));
    assertSays(svg, "two, AllReduce", "measured", "predicted by topo", "16 MiB");
    assertFalse(done(with(chart, "--nodes=2", "--sizes=1M")).contains(">16 MiB<"));
    String split = done(with(chart, "--nodes=4", "--split=0-15;16-23;24-31"));
    assertSays(split, "two, communicator 0, AllReduce");
    CliRun other = CliRun.of(with(chart, "--nodes=4"));
    assertEquals(ExitStatus.BAD_INPUT, other.status());
    assertTrue(other.err().endsWith("measured on 16 GPUs, but the job has 32\n"), other.err());
  }

  @Test
  void optionsOfJobsNeedAMachineAndNoTable() {
    assertEquals(ExitStatus.USAGE, CliRun.of("chart", X4, "--nodes=2").status());
    assertEquals(ExitStatus.USAGE, CliRun.of("chart", X4, "--scaling", "--sizes=1M").status());
    String[] alone = {"chart", "--machine", X4_MACHINE};
    assertEquals(ExitStatus.USAGE, CliRun.of(with(alone, "--show=error")).status());
    assertEquals(ExitStatus.USAGE, CliRun.of("chart", "--collective=reduce").status());
    CliRun both = CliRun.of(with(alone, "--nodes=1,2", "--split=DIV 2"));
    assertEquals(ExitStatus.USAGE, both.status());
    assertTrue(both.err().startsWith("topo: several --nodes compare predictions"), both.err());
  }

  private static List<String> texts(String svg) {
    return Pattern.compile(">([^<]+)</text").matcher(svg).results().map(r -> r.group(1)).toList();
  }

  private static String[] with(String[] first, String... more) {
    return Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void scalingWantsTheTableOfPredict() throws IOException {
    CliRun run = CliRun.of("chart", "--scaling", X4);
    assertEquals(ExitStatus.BAD_INPUT, run.status());
    assertTrue(run.err().contains("h200-x4.csv:1:1: the heading has no column chosen"), run.err());
    Path table = folder.resolve("a.csv");
    Files.writeString(
        table,
        """
        nodes,collective,bytes,time_us,time_low_us,time_high_us,busbw_gbps,chosen
        1,all_reduce,8,1,,,x,true
        """);
    CliRun bad = CliRun.of("chart", "--scaling", table.toString());
    assertTrue(bad.err().contains("a.csv:2:20: busbw_gbps \"x\" is not a number"), bad.err());
    Files.writeString(table, Files.readString(table).replace(",x,", ",1,"));
    CliRun one = CliRun.of("chart", "--scaling", table.toString());
    assertTrue(one.err().contains("has no operation at several numbers of nodes"), one.err());
  }
}
