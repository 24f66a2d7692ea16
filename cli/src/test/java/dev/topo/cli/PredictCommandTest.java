package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.MeasurementReader;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code topo predict} prints. */
class PredictCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path MEASURED = ROOT.resolve("src/test/resources/measured");
  private static final String X4 = MEASURED.resolve("h200-x4.topo.xml").toString();
  private static final String RUNS = MEASURED.resolve("h200-x4-run").toString() + "/";
  private static final String NO_NVLS = "--env=NCCL_NVLS_ENABLE=0";

  @TempDir private Path folder;

  private static CliRun run(String... args) {
    return CliRun.of(
        Stream.concat(Stream.of("predict"), Arrays.stream(args)).toArray(String[]::new));
  }

  private static String ok(String... args) {
    CliRun run = run(args);
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  private static String machine(String name) {
    return ROOT.resolve("topologies/" + name + ".xml").toString();
  }

  private static List<List<String>> csv(String... args) {
    List<List<String>> rows = new ArrayList<>();
    ok(args).lines().skip(1).forEach(line -> rows.add(List.of(line.split(",", -1))));
    return rows;
  }

  @Test
  void csvHasTheDocumentedColumns() {
    String text = ok(X4, NO_NVLS, "--format=csv", "--collective=all_reduce", "--sizes=1G");
    assertEquals(
        "nodes,collective,algorithm,protocol,channels,bytes,time_us,time_low_us,time_high_us,"
            + "algbw_gbps,busbw_gbps,chosen,launched_channels",
        text.lines().findFirst().orElseThrow());
    List<String> row = List.of(text.lines().skip(1).findFirst().orElseThrow().split(","));
    assertEquals(
        List.of("1", "all_reduce", "Ring", "Simple", "24", "1073741824"), row.subList(0, 6));
    double busbw = Double.parseDouble(row.get(10));
    // 355 GB/s were measured (docs/accuracy.md).
    assertEquals(355, busbw, 0.05 * 355);
    assertEquals(1.5 * Double.parseDouble(row.get(9)), busbw, 0.01);
    assertEquals("true", row.get(11));
    assertEquals("24", row.get(12));
    double timeUs = Double.parseDouble(row.get(6));
    assertTrue(Double.parseDouble(row.get(7)) < timeUs, text);
    assertTrue(timeUs < Double.parseDouble(row.get(8)), text);
  }

  @Test
  void eachShowsEveryPairAndMarksNcclsChoice() {
    List<List<String>> rows =
        csv(
            X4,
            NO_NVLS,
            "--format=csv",
            "--collective=all_reduce",
            "--sizes=64M",
            "--algorithm=each");
    assertEquals(
        List.of("Tree LL", "Tree LL128", "Tree Simple", "Ring LL", "Ring LL128", "Ring Simple"),
        rows.stream().map(row -> row.get(2) + " " + row.get(3)).toList());
    assertEquals(1, rows.stream().filter(row -> row.get(11).equals("true")).count());
    List<List<String>> ring =
        csv(
            X4,
            NO_NVLS,
            "--format=csv",
            "--collective=all_reduce",
            "--sizes=64M",
            "--algorithm=ring",
            "--protocol=each");
    assertEquals(rows.subList(3, 6), ring);
    List<List<String>> tree =
        csv(
            X4,
            NO_NVLS,
            "--format=csv",
            "--collective=all_reduce",
            "--sizes=1G",
            "--algorithm=Tree");
    assertEquals(List.of("Simple"), tree.stream().map(row -> row.get(3)).toList());
    assertEquals("false", tree.get(0).get(11));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--algorithm=pat | NCCL has PAT for AllGather and ReduceScatter only",
        "--algorithm=nvls --protocol=ll | NCCL has NVLS with Simple only",
        "--env=NCCL_ALGO=PAT | no algorithm and protocol is left for AllReduce; NCCL_ALGO=PAT",
      })
  void jsonSaysWhichCallsNcclRefusesAndWhy(String options, String reason) {
    List<String> args = new ArrayList<>(List.of(machine("dgx-h100"), "--format=json"));
    args.addAll(List.of("--collective=all_reduce", "--sizes=1M,1G"));
    args.addAll(List.of(options.split(" ")));
    CliRun json = run(args.toArray(String[]::new));
    assertEquals(1, json.status(), "nothing found");
    JsonNode tree = JsonMapper.shared().readTree(json.out());
    assertEquals(0, tree.get("predictions").size());
    assertEquals(2, tree.get("refused").size());
    JsonNode first = tree.get("refused").get(0);
    assertEquals("all_reduce", first.get("collective").asString());
    assertEquals(1 << 20, first.get("bytes").asInt());
    assertEquals(reason, first.get("reason").asString());
    // In the words of the other commands, unless the request itself is the reason.
    String words =
        options.startsWith("--env")
            ? "NCCL refuses the call: " + reason
            : "NCCL cannot run it this way: " + reason;
    args.set(1, "--format=csv");
    CliRun csv = run(args.toArray(String[]::new));
    assertEquals(1, csv.out().lines().count());
    assertEquals("topo: note: AllReduce: " + words + "\n", csv.err(), csv.err());
    args.set(1, "--format=text");
    String text = run(args.toArray(String[]::new)).out();
    assertTrue(text.endsWith("  " + words + "\n"), text);
    String[] taken = {machine("dgx-h100"), "--format=json", "--sizes=1M", "--algorithm=ring"};
    assertEquals(0, JsonMapper.shared().readTree(ok(taken)).get("refused").size());
  }

  @Test
  void jsonTellsWhatPredictionsRestOn() {
    JsonNode tree =
        JsonMapper.shared()
            .readTree(
                ok(
                    machine("dgx-h100"),
                    "--format=json",
                    "--collective=all_reduce",
                    "--sizes=8,1G"));
    assertEquals("h200-nvswitch", tree.get("calibration").get("name").asString());
    assertEquals(1, tree.get("ranksPerProcess").asInt());
    JsonNode nvls = tree.get("predictions").get(1);
    assertEquals("NVLS", nvls.get("algorithm").asString());
    assertFalse(nvls.get("calibrated").asBoolean());
    assertTrue(tree.get("predictions").get(0).get("calibrated").asBoolean());
    assertEquals("published", nvls.get("source").asString());
    assertTrue(
        tree.get("caveats").get(0).asString().startsWith("NVLS (*) is based on published busbw"));
    assertEquals(2, tree.get("best").size());
  }

  /** The declared machine rules channels and choices, the actual one the time. */
  @ParameterizedTest
  @CsvSource({"chain, 156.7", "nvs6-amd, 189.7", "pairs2s, 64.0"})
  void aWrongTopologyFileCostsWhatWasMeasured(String declared, double measuredGBps) {
    List<String> row =
        csv(
                MEASURED.resolve("declared-" + declared + ".topo.xml").toString(),
                "--actual",
                X4,
                NO_NVLS,
                "--ranks-per-process=4",
                "--format=csv",
                "--collective=all_reduce",
                "--sizes=1G")
            .get(0);
    assertEquals(measuredGBps, Double.parseDouble(row.get(10)), 0.1 * measuredGBps);
  }

  @Test
  void actualMustHaveAsManyGpus() {
    CliRun run = run(X4, "--actual", machine("dgx-h100"));
    assertEquals(3, run.status());
    assertTrue(
        run.err().contains("8 GPUs, but the declared machine (" + X4 + ") has 4: expected as many"),
        run.err());
    assertEquals(2, run(X4, "--nodes=2", "--actual", X4).status());
  }

  @Test
  void saysWhatIsNotCalibrated() {
    assertTrue(
        ok(machine("dgx-1v"), "--sizes=1G")
            .contains(
                "no calibration (none matches this machine: sm 70, NVLink without NVSwitch)"));
    String nodes = ok(machine("dgx-h100"), "--nodes=4", "--sizes=1G", "--collective=all_reduce");
    assertTrue(nodes.contains("between nodes (*): network rdma: "), nodes);
    assertTrue(nodes.contains("NVLSTree/Simple*") || nodes.contains("Ring/Simple*"), nodes);
    assertFalse(nodes.contains("90 of 100 within"), nodes);
    assertTrue(
        ok(machine("l40s-4"), "--sizes=1G")
            .contains("low quality, 90 of 100 within 105 % from 16 MiB on"));
    assertTrue(
        ok(X4, "--calibration=a100-nvswitch", "--sizes=8G")
            .contains("as requested, but this machine is sm 90, NVSwitch"));
    String none = ok(X4, NO_NVLS, "--calibration=none", "--sizes=1G", "--collective=all_reduce");
    assertTrue(none.contains("Ring/Simple*"), none);
  }

  /** Ranges are those of times that no fit has seen, launched the same way; or there is none. */
  @Test
  void whereNoRangeIsKnownNoneIsStated() {
    String small = ok(machine("dgx-a100"), "--sizes=1M,1G", "--collective=all_reduce");
    assertTrue(small.contains("low quality, 90 of 100 within 30 % from 16 MiB on\n"), small);
    assertEquals(1, small.lines().filter(line -> line.contains("  not known  ")).count(), small);
    assertTrue(small.contains("small calls may take longer, how much is not known"), small);
    String[] call = {machine("dgx-a100"), "--sizes=1M", "--collective=all_reduce"};
    JsonNode json =
        JsonMapper.shared()
            .readTree(
                ok(
                    Stream.concat(Stream.of(call), Stream.of("--format=json"))
                        .toArray(String[]::new)));
    assertTrue(json.get("predictions").get(0).get("timeLowUs").isNull());
    assertTrue(json.get("predictions").get(0).get("timeHighUs").isNull());
    String replayed = ok(machine("l40s-4"), "--sizes=1G", "--cuda-graph");
    assertTrue(replayed.contains("low quality, no range is known for CUDA graphs\n"), replayed);
    String shared = ok(X4, NO_NVLS, "--sizes=1G", "--ranks-per-process=4");
    assertTrue(shared.contains("measured, 90 of 100 within 14 %, 9 % from 256 KiB on"), shared);
    String multicast = ok(machine("dgx-h100"), "--sizes=2M,1G", "--collective=all_reduce");
    assertTrue(
        multicast.contains("published busbw: 90 of 100 within 5 % from 16 MiB on"), multicast);
    assertTrue(multicast.contains("69.1 us  not known"), multicast);
  }

  @Test
  void namesTheLinkThatIsBusiest() {
    assertTrue(
        ok(X4, NO_NVLS, "--sizes=1G", "--collective=all_reduce").contains("NVL GPU 0 to NVS 0-0"));
    assertTrue(
        ok(machine("l40s-4"), "--sizes=1G", "--collective=all_reduce").contains("SYS CPU 0-"));
  }

  /** Azure ND H100 v5 took 42 us for 1 MiB (docs/accuracy-published.md), and is well. */
  @ParameterizedTest
  @CsvSource({"1048576,42.0,0", "1048576,61.0,1", "1073741824,4029,0", "1073741824,6000,1"})
  void moreGpusThanWereMeasuredMayTakeLonger(long bytes, double us, int status) throws IOException {
    Path file = folder.resolve("azure.csv");
    Files.writeString(
        file,
        "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n"
            + String.join(",", "8,all_reduce,,", bytes + "", us + "", us + "\n"));
    CliRun run = run(machine("dgx-h100"), "--ranks-per-process=1", "--against", file.toString());
    assertEquals(status, run.status());
  }

  @Test
  void aCalibrationOfAnotherKindOfMachineIsSaidToBe() {
    Path own = folder.resolve("own");
    CliRun fit =
        CliRun.of(
            "calibrate",
            MEASURED.resolve("h200-x4.csv").toString(),
            "--topology",
            X4,
            "--env",
            "NCCL_NVLS_ENABLE=0",
            "--min-size",
            "64M",
            "-o",
            own.toString());
    assertEquals(0, fit.status(), fit.err());
    String[] usual = {"--calibration", own.toString(), "--collective=all_reduce", "--sizes=8G"};
    List<String> args = new ArrayList<>(List.of(machine("l40s-4")));
    args.addAll(List.of(usual));
    String other = ok(args.toArray(String[]::new));
    assertTrue(other.contains("as requested, but this machine is sm 89, PCI"), other);
    assertTrue(other.contains(" on another kind of machine\n"), other);
    assertTrue(other.contains("sizes above 4 GiB were not measured for this calibration"), other);
    assertFalse(other.contains("more than"), other);
    args.set(0, machine("dgx-h100"));
    String same = ok(args.toArray(String[]::new));
    assertTrue(same.contains("(as requested): measured"), same);
    assertTrue(same.contains("not measured with more than 4 GPUs"), same);
  }

  @Test
  void passesWhatIsAsFastAsPredicted() {
    String file = RUNS + "all_reduce.nccl-tests.txt";
    CliRun run = run(X4, NO_NVLS, "--sizes=32M:1G", "--against", file);
    assertEquals(0, run.status(), run.out() + run.err());
    assertTrue(run.out().contains("4 GPUs for each process"), run.out());
    assertTrue(run.out().contains("3 of 3 PASS"), run.out());
    CliRun hiccup = run(X4, NO_NVLS, "--sizes=8M:1G", "--against", file);
    assertEquals(1, hiccup.status(), "out of place and in place each count");
    assertTrue(hiccup.out().contains("3 passed, 1 failed, 0 not decided\n"), hiccup.out());
    assertTrue(hiccup.out().contains("FAIL: slower than predicted out of place"), hiccup.out());
    assertEquals(
        0,
        run(X4, NO_NVLS, "--sizes=32K:1G", "--against", RUNS + "all_reduce.processes.json")
            .status());
  }

  @Test
  void failsWhatIsSlower() throws IOException {
    Path slow = folder.resolve("slow.txt");
    String text = Files.readString(Path.of(RUNS + "all_gather.nccl-tests.txt"));
    Files.writeString(
        slow,
        text.replace("1277.67  420.20  315.15", "2277.67  235.71  176.78")
            .replace("1254.37  428.00  321.00", "2254.37  238.15  178.61"));
    CliRun run = run(X4, NO_NVLS, "--sizes=8M:1G", "--format=csv", "--against", slow.toString());
    assertEquals(1, run.status(), run.err());
    assertEquals(
        List.of("PASS,", "PASS,", "PASS,", "FAIL,slower than predicted"),
        run.out().lines().skip(1).map(line -> line.replaceFirst(".*,(PASS|FAIL)", "$1")).toList());
    Files.writeString(
        slow,
        text.replace("1277.67  420.20  315.15", "2277.67  235.71  176.78")
            .replace("1254.37  428.00  321.00", "1304.37  411.60  308.70"));
    CliRun outOfPlace = run(X4, NO_NVLS, "--sizes=8M:1G", "--against", slow.toString());
    assertEquals(1, outOfPlace.status(), "one of both is enough");
    assertTrue(
        outOfPlace.out().contains("FAIL: slower than predicted out of place\n"), outOfPlace.out());
    assertEquals(
        1,
        run(
                X4,
                NO_NVLS,
                "--sizes=8M:1G",
                "--tolerance=0",
                "--format=json",
                "--against",
                slow.toString())
            .status());
  }

  private CliRun judged(String machine, int gpus, String rows, String... more) throws IOException {
    StringBuilder text =
        new StringBuilder(
            "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n");
    for (String row : rows.split(" ")) {
      String[] cells = row.split(":");
      long bytes = Long.parseLong(cells[0]) << 20;
      double factor = 2.0 * (gpus - 1) / gpus * bytes / 1e3;
      double out = factor / Double.parseDouble(cells[1]);
      double in = factor / Double.parseDouble(cells[2]);
      text.append("%d,all_reduce,,,%d,%.3f,%.3f%n".formatted(gpus, bytes, out, in));
    }
    Path file = folder.resolve("judged.csv");
    Files.writeString(file, text);
    return run(
        Stream.concat(
                Stream.of(machine(machine), "--ranks-per-process=1", "--against", file.toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  /** MiB, busbw out of place and in place; between nodes nothing is calibrated. */
  @ParameterizedTest
  @CsvSource({
    "dgx-h100, 2, 1:3:3 1024:437:440 8192:470:470, '0 passed, 0 failed, 3 not decided: no calibration between nodes'",
    "dgx-h100, 2, 1:3:3 1024:185:190 8192:190:190, '0 passed, 2 failed, 1 not decided: no calibration between nodes'",
    "dgx-h100, 2, 1024:437:190, '0 passed, 1 failed, 0 not decided'",
    "dgx-h100, 2, 8192:900:470 8192:470:900, '0 passed, 2 failed, 0 not decided'",
    "hgx-h100-sharp, 12, 8192:387:387, '0 passed, 0 failed, 1 not decided: no calibration between nodes'",
    "dgx-h100, 13, 8192:190:190, '0 passed, 0 failed, 1 not decided: no calibration between nodes'",
    "dgx-h100, 1, 1024:466:466 8192:479:479, 2 of 2 PASS",
    "dgx-h100, 1, 1024:230:230 8192:240:240, '0 passed, 2 failed, 0 not decided'",
    "dgx-h100, 1, 8192:800:479, '0 passed, 1 failed, 0 not decided'",
    "v100-4-mesh, 1, 1024:100:100, '0 passed, 0 failed, 1 not decided: no calibration for this machine'",
    "v100-4-mesh, 1, 1024:34:100 1024:200:100, '0 passed, 2 failed, 0 not decided'",
  })
  void nothingPassesThatNothingSaysIsHealthy(String machine, int nodes, String rows, String summary)
      throws IOException {
    int perNode = machine.startsWith("v100") ? 4 : 8;
    CliRun run = judged(machine, nodes * perNode, rows, "--nodes=" + nodes);
    assertEquals(summary.endsWith("PASS") ? 0 : 1, run.status(), run.err());
    assertTrue(run.out().contains("judged.csv: " + summary + "\n"), run.out());
  }

  @Test
  void anUndecidedVerdictHasItsReasonInJson() throws IOException {
    CliRun run = judged("dgx-h100", 16, "1024:437:440", "--nodes=2", "--format=json");
    assertEquals(1, run.status());
    JsonNode verdict = JsonMapper.shared().readTree(run.out()).get("verdicts").get(0);
    assertEquals("INCONCLUSIVE", verdict.get("verdict").asString());
    assertEquals("no calibration between nodes", verdict.get("reason").asString());
    assertFalse(verdict.get("passes").asBoolean());
  }

  @Test
  void aWrongResultFailsHoweverFastItWas() throws IOException {
    String text = Files.readString(Path.of(RUNS + "all_gather.nccl-tests.txt"));
    Path file = folder.resolve("wrong.txt");
    Files.writeString(
        file,
        text.replaceFirst("(?m)^(  *536870912 .*  )0(  .*)$", "$17$2").replace("0 OK", "1 FAILED"));
    CliRun run = run(X4, NO_NVLS, "--sizes=8M:1G", "--against", file.toString());
    assertEquals(1, run.status(), run.out());
    assertTrue(run.out().contains("3 passed, 1 failed, 0 not decided\n"), run.out());
    assertTrue(run.out().contains("FAIL: wrong result\n"), run.out());
    assertTrue(
        run.err()
            .contains(
                "1 of 12 results were wrong (#wrong), the first that of all_gather of 536870912 B"),
        run.err());
    CliRun calibrated = CliRun.of("calibrate", file.toString(), "--topology", X4, NO_NVLS);
    assertTrue(calibrated.out().contains("22 times"), calibrated.out());
    assertTrue(calibrated.err().contains("were wrong"), calibrated.err());
  }

  /** From GPUs: topo run with --corrupt, and nccl-tests under mpirun --tag-output. */
  @Test
  void judgesRunsOfTwoGpus() {
    String x2 = RUNS.replace("h200-x4-run/", "") + "h200-x2.topo.xml";
    CliRun wrong = run(x2, NO_NVLS, "--against", RUNS + "x2.all_reduce.wrong.json");
    assertEquals(1, wrong.status(), wrong.err());
    assertTrue(wrong.out().contains("0 passed, 4 failed, 0 not decided\n"), wrong.out());
    CliRun tagged = run(x2, NO_NVLS, "--against", RUNS + "x2.all_reduce.tagged.txt");
    assertEquals(0, tagged.status(), tagged.err());
    assertTrue(tagged.out().contains("a process for each GPU"), tagged.out());
    assertTrue(tagged.out().contains("4 of 4 PASS"), tagged.out());
    assertEquals("", tagged.err());
  }

  /** What nccl-tests writes: a device for each process, numbers of wrong elements with decimals. */
  @ParameterizedTest
  @CsvSource({
    "nccl-tests.json, 2 GPUs for each process",
    "mpirun.json, a process for each GPU",
    "graph.json, replayed from a CUDA graph",
    "timestamps.txt, 2 GPUs for each process",
    "per-iteration.txt, 2 GPUs for each process"
  })
  void readsEveryFormOfNcclTests(String file, String processes) {
    String x2 = RUNS.replace("h200-x4-run/", "") + "h200-x2.topo.xml";
    CliRun run = run(x2, NO_NVLS, "--sizes=16M:64M", "--against", RUNS + "x2.all_reduce." + file);
    assertEquals("", run.err());
    assertTrue(run.out().contains(processes), run.out());
    assertTrue(run.out().contains("2 of 2 PASS"), run.out());
  }

  @Test
  void aRunThatWasCutOffIsNoted() throws IOException {
    String text = Files.readString(Path.of(RUNS + "all_gather.nccl-tests.txt"));
    Path file = folder.resolve("short.txt");
    Files.writeString(file, text.substring(0, text.indexOf("# Out of bounds")));
    CliRun run = run(X4, NO_NVLS, "--sizes=8M:1G", "--against", file.toString());
    assertEquals(0, run.status(), run.out());
    assertTrue(run.err().contains("the run was cut off"), run.err());
  }

  /**
   * Launching took up to twice as long on the host of these runs: the smallest calls pass all the
   * same, and it says why they took longer. Beyond that they fail.
   */
  @Test
  void saysThatLaunchesAreAMatterOfTheHost() {
    CliRun run = run(X4, NO_NVLS, "--against", RUNS + "all_gather.nccl-tests.txt");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("12 of 12 PASS"), run.out());
    assertTrue(
        run.out().contains("8 took longer to launch than on the calibrated host"), run.out());
    String[] strict = {X4, NO_NVLS, "--tolerance=0.5", "--against"};
    assertEquals(
        1,
        run(Stream.concat(Stream.of(strict), Stream.of(RUNS + "all_gather.nccl-tests.txt"))
                .toArray(String[]::new))
            .status());
  }

  @Test
  void aCudaGraphLaunchesNothing() {
    String[] call = {X4, NO_NVLS, "--collective=all_reduce", "--sizes=8,1G"};
    String replayed =
        ok(Stream.concat(Stream.of(call), Stream.of("--cuda-graph")).toArray(String[]::new));
    assertTrue(replayed.contains("replayed from a CUDA graph"), replayed);
    assertFalse(replayed.contains("launches"), replayed);
    String launched =
        ok(
            Stream.concat(Stream.of(call), Stream.of("--ranks-per-process=4"))
                .toArray(String[]::new));
    assertTrue(launched.contains("launches"), launched);
    CliRun both = run(X4, "--cuda-graph", "--ranks-per-process=2");
    assertEquals(2, both.status());
    assertEquals(1, both.err().lines().filter(line -> line.contains("--cuda-graph")).count());
  }

  /** JSON tells of NCCL_NVLS_ENABLE=0: nothing need be said again. */
  @Test
  void settingsOfTheMeasuredRunCount() {
    String[] call = {X4, "--sizes=4M:1G", "--format=csv", "--against", RUNS + "verify.json"};
    CliRun run = run(call);
    assertFalse(run.out().contains("NVLS"), run.out());
    assertEquals(
        run.out(),
        run(Stream.concat(Stream.of(NO_NVLS), Arrays.stream(call)).toArray(String[]::new)).out());
  }

  @Test
  void againstIsForTheSameNumberOfGpus() {
    CliRun run = run(machine("dgx-h100"), "--against", RUNS + "all_gather.nccl-tests.txt");
    assertEquals(3, run.status());
    assertTrue(run.err().contains("was measured on 4 GPUs, the job has 8"), run.err());
    assertEquals(
        3, run(machine("dgx-h100"), "--against", RUNS + "alltoall.nccl-tests.txt").status());
    assertEquals(3, run(X4, "--against", folder.resolve("none").toString()).status());
    assertEquals(
        3,
        run(X4, "--collective=reduce", "--against", RUNS + "all_gather.nccl-tests.txt").status());
  }

  @Test
  void aTunerFileHoldsNcclsChoicesAndWhatIsBetter() {
    List<String> own =
        CliRun.of("tune", X4, NO_NVLS, "--format=tuner", "--collective=all_gather")
            .out()
            .lines()
            .toList();
    CliRun run =
        run(X4, NO_NVLS, "--ranks-per-process=4", "--format=tuner", "--collective=all_gather");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().contains("no rule for other collectives"), run.err());
    List<String> best = run.out().lines().toList();
    assertEquals("ll", ruleFor(best, 2 << 20));
    assertEquals("ll", ruleFor(own, 2 << 20));
    // What docs/tuner-plugin.md has measured: LL128 is faster there, NCCL takes Simple.
    assertTrue(own.stream().noneMatch(rule -> rule.contains(",ll128,")), own.toString());
    assertEquals("ll128", ruleFor(best, 4 << 20));
    assertEquals("ll128", ruleFor(best, 8 << 20));
    assertEquals("simple", ruleFor(best, 1L << 40));
    assertRulesLeaveNoGap(best);
  }

  @Test
  void aTunerFileMayRestOnMeasuredTimes() {
    List<String> best =
        ok(X4, NO_NVLS, "--format=tuner", "--measured", MEASURED.resolve("h200-x4.csv").toString())
            .lines()
            .toList();
    List<String> gather = best.stream().filter(rule -> rule.startsWith("allgather")).toList();
    assertEquals("ll128", ruleFor(gather, 4 << 20));
    assertEquals("simple", ruleFor(gather, 1L << 34));
    for (String collective : List.of("allreduce", "reducescatter", "broadcast", "reduce")) {
      assertRulesLeaveNoGap(
          best.stream().filter(rule -> rule.startsWith(collective + ",")).toList());
    }
    assertEquals(
        3,
        run(X4, NO_NVLS, "--format=tuner", "--measured", RUNS + "all_gather.nccl-tests.txt")
            .status());
  }

  /**
   * What the sweep of four GPUs says of following the file: no call is slower than by NCCL's choice
   * by more than 3 %, and AllGather from 1 to 16 MiB, where NCCL changes to Simple too early, gains
   * 13 %.
   */
  @ParameterizedTest
  @CsvSource({"--ranks-per-process=4, 1.13", "--measured=h200-x4.csv, 1.13"})
  void followingTheTunerFilePays(String option, double gain) throws IOException {
    String[] file = {X4, NO_NVLS, "--format=tuner"};
    List<String> own =
        CliRun.of(Stream.concat(Stream.of("tune"), Arrays.stream(file)).toArray(String[]::new))
            .out()
            .lines()
            .toList();
    List<String> best =
        ok(X4, NO_NVLS, "--format=tuner", option.replace("h200", MEASURED + "/h200"))
            .lines()
            .toList();
    double product = 1;
    List<Measurement> all = measurements();
    for (Measurement measured : all) {
      String collective = measured.collective().label().toLowerCase(Locale.ROOT);
      Predicate<String> ofCollective = rule -> rule.startsWith(collective + ",");
      long size = measured.sizeBytes();
      String chosen = ruleFor(own.stream().filter(ofCollective).toList(), size);
      String followed = ruleFor(best.stream().filter(ofCollective).toList(), size);
      if (!isRing(measured, chosen)) {
        continue;
      }
      double faster = measured.timeUs() / timeUs(all, measured, followed);
      assertTrue(faster > 0.97, measured + " followed " + followed);
      if (measured.collective() == Collective.ALL_GATHER && size >= 1 << 20 && size <= 1 << 24) {
        product *= faster;
      }
    }
    assertTrue(Math.pow(product, 0.2) > gain, Math.pow(product, 0.2) + "");
  }

  private static boolean isRing(Measurement measured, String protocol) {
    return measured
        .forced()
        .filter(pair -> pair.algorithm() == Algorithm.RING)
        .map(pair -> pair.protocol().label().equalsIgnoreCase(protocol))
        .orElse(false);
  }

  private static List<Measurement> measurements() throws IOException {
    String file = "h200-x4.csv";
    return MeasurementReader.read(Files.readString(MEASURED.resolve(file)), file).measurements();
  }

  /** Time of the same call by a ring with another protocol. */
  private static double timeUs(List<Measurement> all, Measurement measured, String protocol) {
    return all.stream()
        .filter(m -> m.collective() == measured.collective())
        .filter(m -> m.sizeBytes() == measured.sizeBytes() && isRing(m, protocol))
        .mapToDouble(Measurement::timeUs)
        .findFirst()
        .orElseThrow();
  }

  /** Between nodes nothing is calibrated, and NCCL's choices stay as they are. */
  @Test
  void aTunerFileForSeveralNodesIsNcclsOwn() {
    String[] job = {machine("dgx-h100"), "--nodes=4", "--format=tuner"};
    List<String> own =
        CliRun.of(Stream.concat(Stream.of("tune"), Arrays.stream(job)).toArray(String[]::new))
            .out()
            .lines()
            .sorted()
            .toList();
    CliRun run = run(job);
    assertEquals(own, run.out().lines().sorted().toList());
    assertTrue(run.err().contains("the file contains NCCL's own choices"), run.err());
  }

  private static String ruleFor(List<String> rules, long size) {
    return rules.stream()
        .filter(rule -> !rule.startsWith("#"))
        .map(rule -> rule.split(","))
        .filter(rule -> Long.parseLong(rule[1]) <= size && size <= Long.parseLong(rule[2]))
        .map(rule -> rule[4])
        .findFirst()
        .orElseThrow();
  }

  private static void assertRulesLeaveNoGap(List<String> rules) {
    long next = 0;
    for (String rule : rules) {
      if (!rule.startsWith("#")) {
        String[] cells = rule.split(",");
        assertEquals(next, Long.parseLong(cells[1]), rule);
        next = Long.parseLong(cells[2]) + 1;
      }
    }
    assertEquals(Long.MIN_VALUE, next, "the last rule holds for all that is larger");
  }

  @ParameterizedTest
  @CsvSource({
    "--algorithm=Star",
    "--protocol=LL64",
    "--calibration=h300",
    "--ranks-per-process=0",
    "--ranks-per-process=5",
    "--measured=x",
    "--tolerance=-1"
  })
  void optionsAreChecked(String option) {
    CliRun run = run(X4, option);
    assertEquals(2, run.status(), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @ParameterizedTest
  @CsvSource({
    "NCCL_BUFFSIZE,0,128",
    "NCCL_BUFFSIZE,-1,128",
    "NCCL_LL_BUFFSIZE,7,128",
    "NCCL_LL128_BUFFSIZE,16383,16384"
  })
  void aBufferTooSmallToMoveAnythingIsRefused(String name, String value, String least) {
    String[] each = {X4, "--algorithm=each", "--sizes=8,1M", "--env"};
    List<String> args = new ArrayList<>(List.of(each));
    args.add(name + "=" + value);
    CliRun run = run(args.toArray(String[]::new));
    assertEquals(2, run.status(), run.err());
    assertTrue(
        run.err()
            .endsWith(
                name
                    + "="
                    + value
                    + ": nothing fits into a step of it, expected "
                    + least
                    + " or more\n"),
        run.err());
    args.set(args.size() - 1, name + "=" + least);
    ok(args.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({"1.5K,1536", "3.5M,3670016", "0.3K,307"})
  void sizesMayHaveAPoint(String size, long bytes) {
    List<List<String>> rows =
        csv(X4, NO_NVLS, "--format=csv", "--collective=reduce", "--sizes=" + size);
    assertEquals(bytes, Long.parseLong(rows.get(0).get(5)));
  }

  @Test
  void ofSeveralFilesThoseOfOneRankAreLeftOut() {
    CliRun run = run(machine("gh200"), X4, "--sizes=1M", "--collective=reduce");
    assertEquals(1, run.status());
    assertTrue(run.out().startsWith("h200-x4"), run.out());
    assertTrue(run.err().contains("gh200 is one rank, which sends nothing"), run.err());
  }

  @Test
  void oneRankSendsNothing() {
    CliRun run = run(machine("gh200"));
    assertEquals(1, run.status());
    assertTrue(run.err().contains("is one rank, which sends nothing"), run.err());
  }

  @Test
  void theAnswerIsNoWhereNothingIsLeft() {
    CliRun run = run(machine("dgx-h100"), "--env=NCCL_ALGO=CollNetChain", "--format=csv");
    assertEquals(1, run.status(), run.err());
    assertEquals(1, run.out().lines().count());
  }

  /** As CSV: one process for all GPUs, as in the measurements that are shared. */
  @Test
  void measurementsThatDoNotTellOfProcessesAreTakenForOneProcess() {
    CliRun run = run(X4, NO_NVLS, "--against", MEASURED.resolve("h200-x4.csv").toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("666 of 666 PASS"), run.out());
    assertTrue(run.out().contains("57 of 57 sends and receives PASS"), run.out());
    assertTrue(run.err().contains("does not contain the number of GPUs per process"), run.err());
  }

  @Test
  void whatIsNotJudgedAndWhatCannotBeIsSaid() throws IOException {
    Path file = folder.resolve("some.csv");
    String heading =
        "gpus,collective,forced_algorithm,forced_protocol,channels,bytes,time_us,time_inplace_us\n";
    Files.writeString(
        file,
        heading
            + "4,all_reduce,,,,1073741824,4.5,4.5\n"
            + "2,all_reduce,,,,1073741824,4500,4500\n"
            + "4,all_reduce,Ring,Simple,3,1073741824,4500,4500\n");
    CliRun run = run(X4, NO_NVLS, "--against", file.toString());
    assertEquals(1, run.status(), run.err());
    assertTrue(run.out().contains("FAIL: the input contradicts itself: "), run.out());
    assertTrue(run.err().contains(": 2 rows ignored: other numbers of GPUs"), run.err());
    assertTrue(run.err().contains(": 1 of 1 took less than a third of the predicted"), run.err());
    Files.writeString(file, heading + "4,all_reduce,Ring,Simple,3,1073741824,4500,4500\n");
    CliRun none = run(X4, NO_NVLS, "--against", file.toString());
    assertEquals(3, none.status());
    assertTrue(none.err().contains("contains no comparable row"), none.err());
  }

  @Test
  void aCalibrationFileMustBeOne() throws IOException {
    Path file = folder.resolve("mine.calibration");
    Files.writeString(file, "name = x\nkernel = fast\n");
    CliRun run = run(X4, "--calibration", file.toString());
    assertEquals(3, run.status());
    assertTrue(run.err().contains("mine.calibration:2:1: kernel \"fast\""), run.err());
  }

  @Test
  void severalNumbersOfNodesAreOneTable() {
    String[] calls = {"--collective=all_reduce", "--sizes=1M,1G", "--format=csv"};
    List<String> all = new ArrayList<>();
    for (String nodes : List.of("1", "2", "4")) {
      all.addAll(
          ok(words(calls, machine("dgx-h100"), "--nodes=" + nodes)).lines().skip(1).toList());
    }
    for (String nodes : List.of("1,2,4", "4,1,2,2", "1:4:2", "1:7")) {
      List<String> rows =
          ok(words(calls, machine("dgx-h100"), "--nodes=" + nodes)).lines().toList();
      assertEquals(all, rows.subList(1, rows.size()), nodes);
    }
    String text = ok(machine("dgx-h100"), "--nodes=1,2,4", "--sizes=1G");
    assertTrue(text.startsWith("dgx-h100: 1 to 4 nodes, a process for each GPU\n"), text);
    assertTrue(text.contains("\nAllReduce of 1 GiB\n  nodes  ranks  by"), text);
    assertTrue(text.contains("  ! on 2 to 4 nodes: between nodes (*): network rdma"), text);
  }

  private static String[] words(String[] some, String... more) {
    return Stream.concat(Arrays.stream(more), Arrays.stream(some)).toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--nodes=0;--nodes 0: expected a number from 1 to 1000000, several as in 1,2,4,8",
        "--nodes=1,x;--nodes 1,x: expected",
        "--nodes=8:1;--nodes 8:1: expected",
        "--nodes=1:8:1;--nodes 1:8:1: expected",
        "--nodes=1,2 --format=tuner;several --nodes compare predictions",
        "--nodes=1,2 '--split=DIV 2';several --nodes compare predictions"
      })
  void otherNumbersOfNodesAreRefused(String options, String message) {
    List<String> args = new ArrayList<>(List.of("predict", machine("dgx-h100")));
    args.addAll(CliRun.words(options));
    CliRun run = CliRun.of(args.toArray(String[]::new));
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void otherCommandsTakeOneNumberOfNodes() {
    CliRun run = CliRun.of("tune", machine("dgx-h100"), "--nodes", "1,2");
    assertEquals(2, run.status());
    assertTrue(run.err().contains("--nodes 1,2: expected one number"), run.err());
  }

  @Test
  void sendsAndReceivesBetweenNodesAreLimitedByTheirPorts() {
    String text = ok(machine("dgx-h100"), "--nodes=2", "--collective=alltoall", "--sizes=1G");
    assertTrue(text.contains("  ! between nodes (*): network rdma"), text);
    assertTrue(text.contains("  limited by\n  1 GiB  Simple  16 "), text);
    assertTrue(text.stripTrailing().endsWith("NIC mlx5_0"), text);
    // Half of the data of eight GPUs leaves the node by eight ports of 50 GB/s.
    double atLineRateUs = 8 * (1L << 30) / 2.0 / (8 * 50e3);
    double timeUs =
        Double.parseDouble(
            csv(
                    machine("dgx-h100"),
                    "--nodes=2",
                    "--collective=alltoall",
                    "--sizes=1G",
                    "--format=csv")
                .get(0)
                .get(6));
    assertTrue(timeUs > atLineRateUs && timeUs < 1.5 * atLineRateUs, timeUs + " " + atLineRateUs);
  }

  /** A kernel waits for the ranks of its node only: trees grow with the logarithm of the nodes. */
  @Test
  void theStartOfAKernelDoesNotGrowWithTheNodes() {
    List<Double> times =
        csv(
                machine("dgx-h100"),
                "--nodes=128,256,512,1024",
                "--collective=all_reduce",
                "--sizes=1M",
                "--format=csv")
            .stream()
            .map(row -> Double.parseDouble(row.get(6)))
            .toList();
    for (int i = 2; i < times.size(); i++) {
      double before = times.get(i - 1) - times.get(i - 2);
      assertEquals(before, times.get(i) - times.get(i - 1), 0.2 * before, times.toString());
    }
  }

  /** NCCL counts an interface whose speed it does not know as 10 Gb/s. */
  @Test
  void aSpeedThatNcclMayHaveAssumedIsSaid() {
    String assumed = ok(machine("rtx3090-2-bridged"), "--nodes=2", "--sizes=1G");
    assertTrue(assumed.contains("  ! enp5s0: NCCL counts an interface that states no"), assumed);
    String known = ok(machine("a100-pcie-4-bridged"), "--nodes=2", "--sizes=1G");
    assertFalse(known.contains("states no speed"), known);
  }
}
