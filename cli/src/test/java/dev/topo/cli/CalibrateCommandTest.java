package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.simulator.calibration.Constant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files, options and errors of {@code topo calibrate}. */
class CalibrateCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path MEASURED = ROOT.resolve("src/test/resources/measured");
  private static final String RUNS = MEASURED.resolve("h200-x4-run").toString() + "/";
  private static final String X4_TIMES = file("h200-x4.csv");
  private static final String X4 = "--topology=" + file("h200-x4.topo.xml");
  private static final String X2 = "--topology=" + file("h200-x2.topo.xml");
  private static final String NO_NVLS = "--env=NCCL_NVLS_ENABLE=0";
  private static final String SHIPPED = "--calibration=h200-nvswitch";

  @TempDir private Path folder;

  private static String file(String name) {
    return MEASURED.resolve(name).toString();
  }

  private static CliRun run(String... args) {
    return CliRun.of(
        Stream.concat(Stream.of("calibrate"), Arrays.stream(args)).toArray(String[]::new));
  }

  private static String ok(String... args) {
    CliRun run = run(args);
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  private static JsonNode json(String... args) {
    return JsonMapper.shared()
        .readTree(
            ok(
                Stream.concat(Arrays.stream(args), Stream.of("--format=json"))
                    .toArray(String[]::new)));
  }

  @Test
  void refusesNoNodes() {
    CliRun run = CliRun.of("calibrate", "none.txt", "--nodes", "0");
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains("--nodes 0: expected a number from 1"), run.err());
  }

  @Test
  void writesWhatPredictTakes() {
    Path mine = folder.resolve("mine.calibration");
    ok(
        RUNS + "verify.json",
        "--min-size=8M",
        "--name=mine",
        "--origin=a test",
        "-o",
        mine.toString());
    String predicted = predicted("--calibration=" + mine, "--env=NCCL_NVLS_ENABLE=0");
    assertTrue(predicted.contains("calibration mine (as requested)"), predicted);
    assertTrue(predicted.contains("  a test\n"), predicted);
  }

  /** A result of verify brings its machine and its settings. */
  @Test
  void aResultOfVerifyNeedsNoTopology() {
    JsonNode tree = json(SHIPPED, "--against=" + RUNS + "verify.json");
    assertEquals(1, tree.get("sets").size());
  }

  @Test
  void readsEveryFormatAndPassesOverWhatHasNoAlgorithm() {
    CliRun run =
        run(
            SHIPPED,
            "--against",
            RUNS + "all_reduce.nccl-tests.txt",
            RUNS + "alltoall.nccl-tests.txt",
            RUNS + "all_reduce.topo-run.txt",
            RUNS + "all_reduce.processes.json",
            RUNS + "x2.all_reduce.nccl-tests.txt",
            RUNS + "verify.json",
            X4,
            NO_NVLS,
            "--format=csv");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().contains("alltoall.nccl-tests.txt has sizes of 0 or sends"), run.err());
    assertEquals(
        List.of(
            "all_reduce.nccl-tests.txt (4 GPUs)",
            "all_reduce.topo-run.txt (4 GPUs)",
            "all_reduce.processes.json (4 GPUs)",
            "x2.all_reduce.nccl-tests.txt (2 GPUs)",
            "verify.json (4 GPUs)"),
        run.out().lines().skip(1).map(line -> line.split(",")[0]).distinct().toList());
  }

  @Test
  void onlyIsForForcedOrChosenRuns() {
    String[] call = {SHIPPED, "--against=" + X4_TIMES, X4, NO_NVLS, "--format=csv"};
    String forced = ok(with(call, "--only=forced"));
    String chosen = ok(with(call, "--only=chosen"));
    assertFalse(forced.contains("NCCL's choice"), forced);
    assertTrue(chosen.contains("NCCL's choice") && !chosen.contains(" Ring "), chosen);
    assertTrue(forced.contains(" Ring "), forced);
    assertTrue(ok(call).lines().count() > forced.lines().count());
  }

  private static String[] with(String[] call, String last) {
    return Stream.concat(Arrays.stream(call), Stream.of(last)).toArray(String[]::new);
  }

  @Test
  void aForcedPairCanBeNamed() {
    String out =
        ok(
            SHIPPED,
            "--against=" + RUNS + "all_reduce.nccl-tests.txt",
            X4,
            NO_NVLS,
            "--algorithm=ring",
            "--protocol=ll",
            "--min-size=8M");
    assertTrue(out.contains("AllReduce Ring LL "), out);
    assertEquals(
        2,
        run(SHIPPED, "--against=" + RUNS + "all_reduce.nccl-tests.txt", X4, "--algorithm=ring")
            .status());
  }

  @Test
  void fixedConstantsAreNotFitted() {
    JsonNode tree =
        json(RUNS + "verify.json", SHIPPED, "--min-size=8M", "--fix=kernel,drift.steps");
    for (JsonNode constant : tree.get("constants")) {
      Constant of = Constant.ofLabel(name(constant)).orElseThrow();
      boolean isFixed =
          Set.of(Constant.KERNEL, Constant.DRIFT_STEPS).contains(of)
              || Constant.OF_OTHER_CALLS.contains(of);
      assertEquals(!isFixed, constant.get("fitted").asBoolean(), name(constant));
    }
    assertEquals(2, run(RUNS + "verify.json", "--fix=colour").status());
  }

  private static String name(JsonNode constant) {
    return constant.get("constant").asString();
  }

  @Test
  void theActualMachineMayBeAnother() {
    String declared = "--against=" + file("declared-chain.csv");
    String topology = "--topology=" + file("declared-chain.topo.xml");
    String actual = "--actual=" + file("h200-x4.topo.xml");
    String without = ok(SHIPPED, declared, topology, NO_NVLS, "--min-size=64M", "--format=csv");
    String with =
        ok(SHIPPED, declared, topology, actual, NO_NVLS, "--min-size=64M", "--format=csv");
    assertNotEquals(without, with);
  }

  /** Milliseconds, as nccl-tests once printed them. */
  @Test
  void timesThatNoLinkCouldBringAreRefused() throws IOException {
    Path file = folder.resolve("ms.csv");
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(Path.of(file("h200-x4.csv")))) {
      String[] cells = line.split(",", -1);
      if (!cells[0].equals("gpus")) {
        cells[5] = String.valueOf(Double.parseDouble(cells[5]) / 1000);
        cells[6] = String.valueOf(Double.parseDouble(cells[6]) / 1000);
      }
      text.append(String.join(",", cells)).append('\n');
    }
    Files.writeString(file, text);
    CliRun run = run(file.toString(), "--topology=" + file("h200-x4.topo.xml"), NO_NVLS);
    assertEquals(3, run.status(), run.err());
    assertTrue(run.err().contains("times as fast as NCCL assumes (nvlink.efficiency)"), run.err());
  }

  @Test
  void saysWhatIsMissing() {
    assertEquals(2, run().status());
    assertEquals(2, run("--against=" + X4_TIMES, X4, "-o", "x").status());
    CliRun run = run(X4_TIMES);
    assertEquals(3, run.status());
    assertTrue(run.err().contains("name their machine with --topology FILE"), run.err());
    run = run(X4_TIMES, X2);
    assertEquals(3, run.status());
    assertTrue(run.err().contains("--topology has [2]: expected as many, or more"), run.err());
    assertEquals(0, run(RUNS + "alltoall.nccl-tests.txt", X4).status(), "sends and receives");
    assertEquals(3, run(X4_TIMES, X4, "--min-size=8T").status());
    assertEquals(
        2,
        run(
                X4_TIMES,
                "--topology=" + ROOT.resolve("topologies/dgx-1v.xml"),
                "--ranks-per-process=9")
            .status());
    assertEquals(
        2,
        run("--against=" + X4_TIMES, "--topology=" + ROOT.resolve("topologies/dgx-1v.xml"))
            .status(),
        "no calibration for V100");
  }

  /** NCCL chooses nothing for a call that no buffer can hold. */
  @Test
  void aCallWithoutAChoiceHasNoRegret() throws IOException {
    Path measured =
        Files.writeString(
            folder.resolve("m.csv"),
            """
            gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us
            2,all_gather,Ring,LL,9223372036854775807,11010.9,9750.62
            """);
    CliRun run = run(SHIPPED, X2, "--against", measured.toString());
    assertTrue(run.status() <= 3, run.err());
    assertFalse(run.err().contains("bug"), run.err());
  }

  private static final String TWO_NODES = file("h200-2x1-sockets.csv");

  /** Two GPUs as two hosts over TCP, from a calibration of fast ports. */
  @Test
  void runsOfSeveralNodesCorrectPredictionsBetweenThem() {
    Path mine = folder.resolve("mine.calibration");
    String report =
        ok(TWO_NODES, "--nodes=2", X2, "--network=rdma", "--name=mine", "-o", mine.toString());
    assertTrue(report.contains("15 times of h200-2x1-sockets.csv, from rdma"), report);
    String predicted = predicted("--calibration=" + mine, "--nodes=2", "--gpus=0");
    assertTrue(predicted.contains("times that were measured on this machine"), predicted);
    CliRun other =
        CliRun.of(
            "predict",
            ROOT.resolve("topologies/dgx-a100.xml").toString(),
            "--nodes=2",
            "--calibration=" + mine);
    assertEquals(2, other.status(), other.out());
    assertTrue(
        other.err().contains("measured on sm 90, one GPU, this machine is sm 80, NVSwitch"),
        other.err());
  }

  private static final String THREE = ROOT.resolve("examples/three-numbers.csv").toString();
  private static final String PCIE = ROOT.resolve("topologies/rtx-pro-6000-8.xml").toString();
  private static final List<String> OF_PCIE =
      List.of("--ranks-per-process=8", "--env=NCCL_P2P_LEVEL=SYS", "--env=NCCL_NVLS_ENABLE=0");

  private static String[] all(List<String> options, String... first) {
    return Stream.concat(Arrays.stream(first), options.stream()).toArray(String[]::new);
  }

  /** The times of 64 MiB and of AllGather were measured, too: 8588 and 2230 us (NVIDIA/aicr). */
  @Test
  void threeNumbersCorrectOtherSizesAndOtherCollectives() {
    Path mine = folder.resolve("mine.calibration");
    ok(all(OF_PCIE, THREE, "--topology=" + PCIE, "-o", mine.toString()));
    CliRun run =
        CliRun.of(
            all(
                OF_PCIE,
                "predict",
                PCIE,
                "--calibration=" + mine,
                "--collective=all_reduce,all_gather",
                "--sizes=64M",
                "--format=json"));
    JsonNode predictions = JsonMapper.shared().readTree(run.out()).get("predictions");
    assertEquals(8588, predictions.get(0).get("timeUs").asDouble(), 0.03 * 8588);
    assertEquals("own-times", predictions.get(0).get("source").asString());
    double gather = predictions.get(1).get("timeUs").asDouble();
    assertTrue(gather > 3000, "as slow as AllReduce: " + gather);
  }

  /** The clusters behind a shipped range are not behind one of own times. */
  @Test
  void aFloorOfOwnTimesIsOfOneMachine() {
    Path mine = folder.resolve("mine.calibration");
    ok(all(OF_PCIE, THREE, "--topology=" + PCIE, "-o", mine.toString()));
    CliRun run =
        CliRun.of(
            all(
                OF_PCIE,
                "predict",
                PCIE,
                "--calibration=" + mine,
                "--floor=99",
                "--collective=all_reduce",
                "--sizes=64M"));
    assertTrue(run.out().startsWith("95 of 100 healthy runs exceed"), run.out() + run.err());
    assertFalse(run.out().contains("clusters support"), run.out());
  }

  /** A time in milliseconds, or one of another machine. */
  @Test
  void aTimeThatNoLinkAllowsIsRefused() throws IOException {
    Path file = folder.resolve("ms.csv");
    Files.writeString(file, "collective,bytes,time_us\nall_reduce,1073741824,135\n");
    CliRun run = run(all(OF_PCIE, file.toString(), "--topology=" + PCIE));
    assertEquals(3, run.status(), run.out());
    assertTrue(
        run.err().contains("AllReduce of 1 GiB in 135.0 us: the links of this machine"), run.err());
  }

  @Test
  void itsCsvIsReadAgain() throws IOException {
    String csv = ok(all(OF_PCIE, THREE, "--topology=" + PCIE, "--format=csv"));
    Path again = Files.writeString(folder.resolve("again.csv"), csv);
    String reread = ok(all(OF_PCIE, again.toString(), "--topology=" + PCIE, "--format=csv"));
    assertEquals(calls(csv), calls(reread));
  }

  /** The lines without errors, which follow from the digits of the times. */
  private static List<String> calls(String csv) {
    return csv.lines().map(line -> line.substring(0, line.indexOf(',', 40))).toList();
  }

  @Test
  void aCalibrationCanBeShared() {
    Path mine = folder.resolve("mine.calibration");
    ok(all(OF_PCIE, THREE, "--topology=" + PCIE, "--anonymous", "-o", mine.toString()));
    assertTrue(read(mine).contains("origin = 3 times, from pcie\n"), read(mine));
  }

  /** The times of another release or of other settings are used, and that is said. */
  @Test
  void timesOfAnotherJobAreNoted() {
    Path mine = folder.resolve("mine.calibration");
    ok(all(OF_PCIE, THREE, "--topology=" + PCIE, "-o", mine.toString()));
    String settings = "2.28.9 NCCL_NVLS_ENABLE=0 NCCL_P2P_LEVEL=SYS";
    assertTrue(read(mine).contains("job = " + settings + "\n"), read(mine));
    String[] same = all(OF_PCIE, "predict", PCIE, "--sizes=64M", "--calibration=" + mine);
    assertEquals("", CliRun.of(same).err());
    CliRun other = CliRun.of("predict", PCIE, "--sizes=64M", "--calibration=" + mine);
    assertTrue(
        other.err().contains("job with NCCL %s, this one has 2.28.9:".formatted(settings)),
        other.err());
  }

  /** Each run tells something of calls that the runs before it do not. */
  @Test
  void aPlanBeginsWithTheRunThatTellsMost() {
    String plan = ok("--plan", ROOT.resolve("topologies/dgx-h100.xml").toString(), "--nodes=2");
    List<Double> within =
        Pattern.compile("within ([0-9.]+) %")
            .matcher(plan)
            .results()
            .map(match -> Double.valueOf(match.group(1)))
            .toList();
    assertEquals(7, within.size(), plan);
    assertEquals(within.stream().sorted(Comparator.reverseOrder()).toList(), within, plan);
    assertTrue(plan.contains("mpirun -np 16 --map-by ppr:8:node all_"), plan);
    assertTrue(plan.contains("srun -N 2 --ntasks-per-node 8 all_reduce_perf -b 8 -e"), plan);
    CliRun two = run("--plan", THREE, PCIE);
    assertEquals(2, two.status());
    assertTrue(two.err().contains("--plan FILE: expected one topology"), two.err());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String predicted(String... args) {
    List<String> all =
        new ArrayList<>(List.of("predict", file("h200-x2.topo.xml"), "--sizes=32M", "-v"));
    all.addAll(List.of(args));
    CliRun run = CliRun.of(all.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  @Test
  void hostsOfAFileMustNotContradictTheOption() {
    String listed = ROOT.resolve("examples/healthy.txt").toString();
    String machine = "--topology=" + ROOT.resolve("topologies/dgx-h100.xml");
    CliRun odd = run(listed, "--nodes=4", machine);
    assertEquals(3, odd.status(), odd.out());
    assertTrue(odd.err().contains("healthy.txt: lists 2 hosts, --nodes states 4"), odd.err());
    CliRun mixed = run(listed, TWO_NODES, "--nodes=1", machine);
    assertTrue(mixed.err().contains("lists 2 hosts, --nodes states 1: the list counts"));
  }

  @Test
  void constantsAreFittedToRunsOfOneNode() {
    CliRun oneNode = run(TWO_NODES, "--nodes=2", X2, "--fix=step");
    assertEquals(2, oneNode.status());
    assertTrue(oneNode.err().contains("--actual and --fix are for fits"), oneNode.err());
    CliRun odd = run(TWO_NODES, "--nodes=3", X2);
    assertEquals(3, odd.status());
    assertTrue(odd.err().contains("was measured on 2 GPUs of 3 nodes"), odd.err());
  }

  @Test
  void showsTheConstantsWithUnitAndMeaning() {
    CliRun all = CliRun.of("calibrate", "--show");
    assertEquals(0, all.status(), all.err());
    assertTrue(all.out().startsWith("Times rest on 25 constants of a generation, "), all.out());
    assertTrue(
        all.out().contains("h200   h100   a100    b200    gb200   pcie   meaning"), all.out());
    assertTrue(all.out().lines().allMatch(line -> line.length() <= 120), all.out());
    CliRun one = CliRun.of("calibrate", "--show", "--network", "efa");
    assertTrue(one.out().startsWith("Times rest on 24 constants of a network."), one.out());
    CliRun file = CliRun.of("calibrate", "--show", "some.csv");
    assertEquals(ExitStatus.USAGE, file.status());
    assertTrue(file.err().contains("--show fits nothing"), file.err());
    CliRun csv = CliRun.of("calibrate", "--show", "--format", "csv");
    assertTrue(csv.err().contains("--show is text or json"), csv.err());
  }
}
