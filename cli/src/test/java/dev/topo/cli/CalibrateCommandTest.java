package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.network.NetworkConstant;
import dev.topo.simulator.network.NetworkFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code topo calibrate} finds, prints and writes. */
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

  private static double median(JsonNode tree, int set) {
    JsonNode errors = tree.get("sets").get(set).get("errors");
    return errors.get(errors.size() - 1).get("median").asDouble();
  }

  private static double constant(JsonNode tree, String name) {
    for (JsonNode entry : tree.get("constants")) {
      if (entry.get("constant").asString().equals(name)) {
        return entry.get("value").asDouble();
      }
    }
    throw new AssertionError(name);
  }

  @Test
  void refusesNoNodes() {
    CliRun run = CliRun.of("calibrate", "none.txt", "--nodes", "0");
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains("--nodes 0: expected 1 or more"), run.err());
  }

  @ParameterizedTest
  @CsvSource({"four GPUs, h200-x4", "two GPUs, h200-x2"})
  void makesTheTablesOfTheDocument(String table, String set) throws IOException {
    String document = Files.readString(ROOT.resolve("docs/accuracy.md"));
    String made =
        ok(
            SHIPPED,
            "--against=" + file(set + ".csv"),
            "--topology=" + file(set + ".topo.xml"),
            NO_NVLS,
            "--only=forced",
            "--format=markdown");
    String expected =
        document.split("<!-- table: " + table + " -->\n", 2)[1].split("<!-- end", 2)[0];
    assertEquals(expected, made);
  }

  @Test
  @Tag("slow")
  void fitsASweepAndWritesWhatPredictTakes() throws IOException {
    Path mine = folder.resolve("mine.calibration");
    JsonNode tree =
        json(
            X4_TIMES,
            X4,
            "--against=" + file("h200-x2.csv"),
            X2,
            NO_NVLS,
            "--name=mine",
            "--origin=a test",
            "-o",
            mine.toString());
    assertTrue(median(tree, 0) <= 0.025, "fitted: " + median(tree, 0));
    assertTrue(median(tree, 1) <= 0.06, "not fitted: " + median(tree, 1));
    // One number of GPUs cannot tell what a launch costs for each of them; nothing here was
    // replayed.
    List<String> undetermined = new ArrayList<>();
    tree.get("constants")
        .forEach(
            c -> {
              if (!c.get("determined").asBoolean()) {
                undetermined.add(c.get("constant").asString());
              }
            });
    assertTrue(
        undetermined.containsAll(
            List.of(
                "launch.base",
                "launch.per-gpu",
                "kernel.registered",
                "pci.efficiency",
                "copy.host")),
        undetermined.toString());
    assertTrue(
        Files.readString(mine).contains("published = nvls.start, nvls.efficiency\n"),
        "nothing ran by NVLS");
    JsonNode regret = tree.get("sets").get(0).get("followingTopo");
    assertTrue(regret.get("mean").asDouble() <= 0.01, regret.toString());
    CliRun predicted =
        CliRun.of(
            "predict",
            file("h200-x4.topo.xml"),
            NO_NVLS,
            "--calibration",
            mine.toString(),
            "--sizes=1G");
    assertEquals(0, predicted.status(), predicted.err());
    assertTrue(predicted.out().contains("calibration mine (as requested)"), predicted.out());
    assertTrue(predicted.out().contains("  a test\n"), predicted.out());
  }

  /** One time in twenty is ten times too long: the constants hardly move. */
  @Test
  @Tag("slow")
  void outliersDoNotRule() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(X4_TIMES)));
    Random random = new Random(1);
    for (int i = 1; i < lines.size(); i++) {
      if (random.nextInt(20) == 0) {
        String[] cells = lines.get(i).split(",");
        cells[5] = String.valueOf(10 * Double.parseDouble(cells[5]));
        lines.set(i, String.join(",", cells));
      }
    }
    Path spoilt = folder.resolve("spoilt.csv");
    Files.write(spoilt, lines);
    JsonNode clean = json(X4_TIMES, X4, NO_NVLS);
    JsonNode tree = json(spoilt.toString(), X4, NO_NVLS);
    for (String name :
        List.of("kernel", "step.ll128", "slice.simple", "nvlink.efficiency", "step.simple")) {
      assertEquals(constant(clean, name), constant(tree, name), 0.05 * constant(clean, name), name);
    }
    assertEquals(median(clean, 0), median(tree, 0), 0.005);
  }

  /** Times of NVLS as they would be with 40 us and 0.7 of the links of eight GPUs. */
  @Test
  void ownTimesOfNvlsTakeThePlaceOfPublishedOnes() throws IOException {
    StringBuilder csv =
        new StringBuilder(
            "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n");
    for (long bytes = 1 << 20; bytes <= 1L << 33; bytes *= 2) {
      double us = 40 + bytes * (1 + 1.0 / 8) / (18 * 20.6e3 * 0.7);
      csv.append(
          String.format(Locale.ROOT, "8,all_reduce,NVLS,Simple,%d,%.2f,%.2f%n", bytes, us, us));
    }
    Path times = folder.resolve("nvls.csv");
    Files.writeString(times, csv);
    Path mine = folder.resolve("mine.calibration");
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    JsonNode tree =
        json(times.toString(), "--topology=" + machine, "--name=mine", "-o", mine.toString());
    assertEquals(0.7, constant(tree, "nvls.efficiency"), 0.01);
    assertFalse(Files.readString(mine).contains("published"), Files.readString(mine));
    List<String> question =
        List.of("predict", machine, "--collective=all_reduce", "--sizes=1G", "--format=json");
    assertEquals("published", sourceOf(question, List.of()));
    assertEquals("calibration", sourceOf(question, List.of("--calibration=" + mine)));
  }

  private static String sourceOf(List<String> question, List<String> more) {
    CliRun run = CliRun.of(Stream.concat(question.stream(), more.stream()).toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return JsonMapper.shared().readTree(run.out()).findValue("source").asString();
  }

  /** A result of verify brings its machine and its settings. */
  @Test
  void fitsAResultOfVerify() {
    JsonNode tree = json(RUNS + "verify.json", "--against=" + RUNS + "verify.json");
    assertTrue(median(tree, 0) <= 0.05, "fitted: " + median(tree, 0));
    assertEquals(median(tree, 0), median(tree, 1));
    assertTrue(constant(tree, "launch.per-gpu") > 4, "this host launches slower");
    assertEquals(0, tree.get("sets").get(0).get("notCovered").asInt());
    assertEquals(66, tree.get("sets").get(0).get("followingNccl").get("calls").asInt());
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
  void fixedConstantsStay() {
    JsonNode tree = json(RUNS + "verify.json", SHIPPED, "--fix=kernel,drift.steps");
    Calibration shipped = CalibrationFile.shipped("h200-nvswitch").orElseThrow();
    assertEquals(shipped.value(Constant.KERNEL), constant(tree, "kernel"));
    assertEquals(shipped.value(Constant.DRIFT_STEPS), constant(tree, "drift.steps"));
    assertEquals(2, run(RUNS + "verify.json", "--fix=colour").status());
  }

  @Test
  void aWrongDeclarationIsTakenIntoAccount() {
    JsonNode tree =
        json(
            SHIPPED,
            "--against=" + file("declared-chain.csv"),
            "--topology=" + file("declared-chain.topo.xml"),
            "--actual=" + file("h200-x4.topo.xml"),
            NO_NVLS,
            "--min-size=64M");
    assertTrue(median(tree, 0) <= 0.1, tree.toString());
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
    assertEquals(3, run(RUNS + "alltoall.nccl-tests.txt", X4).status());
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

  private static double value(JsonNode network, String constant) {
    for (JsonNode one : network.get("constants")) {
      if (one.get("constant").asString().equals(constant)) {
        return one.get("value").asDouble();
      }
    }
    throw new AssertionError(constant);
  }

  /** Two GPUs as two hosts over TCP, from a calibration of fast ports. */
  @Test
  void runsOfSeveralNodesCalibrateTheNetworkBetweenThem() {
    Path mine = folder.resolve("mine.network");
    JsonNode fit =
        json(TWO_NODES, "--nodes=2", X2, "--network=rdma", "--name=mine", "-o", mine.toString());
    JsonNode allReduce = fit.get("series").get(1);
    assertEquals("2 nodes, AllReduce", allReduce.get("series").asString());
    assertTrue(allReduce.get("base").get("median").asDouble() > 0.5, allReduce.toString());
    assertTrue(allReduce.get("fit").get("median").asDouble() < 0.1, allReduce.toString());
    assertTrue(allReduce.get("heldOut").get("median").asDouble() < 0.15, allReduce.toString());
    // No tree of NVLS runs on one GPU of a node.
    double rdma = NetworkFile.shipped("rdma").orElseThrow().value(NetworkConstant.HOP_NVLS);
    assertEquals(rdma, value(fit, "hop.nvls"), 1e-3);
    CliRun predict =
        CliRun.of(
            "predict", file("h200-x2.topo.xml"), "--nodes=2", "--network=" + mine, "--sizes=32M");
    assertEquals(0, predict.status(), predict.err());
    assertTrue(predict.out().contains("network mine: 18 times of h200-2x1-sockets.csv"));
    assertTrue(predict.out().contains("90 of 100 times that the fit of mine has not seen"));
  }

  /**
   * A range that was measured with AllReduce and others of two nodes says nothing of other calls.
   */
  @Test
  void aFittedRangeHoldsForMeasuredCallsOnly() {
    Path mine = folder.resolve("mine.network");
    JsonNode fit =
        json(TWO_NODES, "--nodes=2", X2, "--network=rdma", "--name=mine", "-o", mine.toString());
    assertEquals(2, fit.get("spreadOf").get(0).get("mostNodes").asInt(), fit.toString());
    String predict = "--network=" + mine;
    String measured = predicted(predict, "--nodes=2", "--collective=all_reduce", "--sizes=32M");
    assertFalse(measured.contains("not known"), measured);
    String[][] others = {
      {"--nodes=4", "--collective=all_reduce", "--sizes=32M"},
      {"--nodes=2", "--collective=alltoall", "--sizes=32M"},
      {"--nodes=2", "--collective=all_reduce", "--sizes=64G"}
    };
    for (String[] other : others) {
      String answer = predicted(predict, other);
      assertTrue(answer.contains("not known"), answer);
      assertTrue(answer.contains("was not measured for all of these calls"), answer);
      assertFalse(answer.contains("90 of 100"), answer);
    }
  }

  private static String predicted(String network, String... args) {
    List<String> all = new ArrayList<>(List.of("predict", file("h200-x2.topo.xml"), network));
    all.addAll(List.of(args));
    CliRun run = CliRun.of(all.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  @Test
  void aRangeOfAFileNamesTheCallsThatItWasMeasuredOn() throws IOException {
    Path mine = folder.resolve("mine.network");
    Files.writeString(
        mine,
        NetworkFile.write(NetworkFile.shipped("rdma").orElseThrow().named("mine", "here"))
            + "spread = 0.1\n");
    CliRun run = CliRun.of("predict", file("h200-x2.topo.xml"), "--nodes=2", "--network=" + mine);
    assertEquals(3, run.status());
    assertTrue(run.err().contains("expected the calls that it was measured on"), run.err());
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
  void runsOfOneNodeAndOfSeveralAreNotMixed() {
    CliRun oneNode = run(TWO_NODES, "--nodes=2", X2, "--fix=step");
    assertEquals(2, oneNode.status());
    assertTrue(oneNode.err().contains("--actual and --fix are for runs of one node"));
    CliRun odd = run(TWO_NODES, "--nodes=3", X2);
    assertEquals(3, odd.status());
    assertTrue(odd.err().contains("was measured on [2] GPUs of 3 nodes"), odd.err());
  }
}
