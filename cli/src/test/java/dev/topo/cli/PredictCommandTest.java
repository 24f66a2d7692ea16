package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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
            + "algbw_gbps,busbw_gbps,chosen,launched_channels,hosts,calibrated,source,caveats",
        text.lines().findFirst().orElseThrow());
    assertEquals(2, text.lines().count(), text);
  }

  @Test
  void eachIsForAlgorithmsAndProtocols() {
    String[] call = {X4, NO_NVLS, "--format=csv", "--collective=all_reduce", "--sizes=64M"};
    List<List<String>> each = csv(words(call, "--algorithm=each"));
    List<List<String>> rings = csv(words(call, "--algorithm=ring", "--protocol=each"));
    assertEquals(each.stream().filter(row -> row.get(2).equals("Ring")).toList(), rings);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--algorithm=pat | NCCL has PAT for AllGather and ReduceScatter only",
        "--algorithm=nvls --protocol=ll | NCCL has NVLS with Simple only",
        "--env=NCCL_ALGO=PAT | no algorithm and protocol can run AllReduce with NCCL_ALGO=PAT",
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
  void aLastResortOfNcclHasNoTime() {
    String call =
        machine("dgx-h100") + " --nodes=4 --sizes=64M --collective=all_gather --nccl=2.31.2";
    CliRun forced = run((call + " --env NCCL_ALGO=PAT").split(" "));
    assertEquals(1, forced.status());
    assertTrue(
        forced
            .out()
            .contains("no time: NCCL runs it by PAT as a last resort, without a time in its model"),
        forced.out());
  }

  @Test
  void theActualMachineIsNamed() {
    String declared = MEASURED.resolve("declared-chain.topo.xml").toString();
    String text = ok(declared, "--actual", X4, NO_NVLS, "--sizes=1G");
    assertTrue(text.lines().toList().get(2).contains(", data over 4 GPUs"), text);
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
  void theCalibrationIsThatOfTheOption() {
    assertTrue(
        ok(X4, "--calibration=a100-nvswitch", "--sizes=8G")
            .contains("calibration a100-nvswitch (as requested, but this machine is "));
    assertTrue(
        ok(X4, "--calibration=none", "--sizes=1G").contains("no calibration (as requested)"));
  }

  @Test
  void theStatusIsThatOfTheVerdicts() throws IOException {
    String file = RUNS + "all_reduce.nccl-tests.txt";
    CliRun run = run(X4, NO_NVLS, "--sizes=32M:1G", "--against", file);
    assertEquals(0, run.status(), run.out() + run.err());
    assertEquals(1, run(X4, NO_NVLS, "--sizes=8M:1G", "--against", file).status());
    Path undecided = folder.resolve("undecided.csv");
    Files.writeString(
        undecided,
        "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n"
            + "8,all_reduce,,,1073741824,126000,125000\n");
    String[] call = {machine("l40s-4"), "--nodes=2", "--format=json"};
    CliRun open = run(words(call, "--against=" + undecided));
    assertEquals(1, open.status(), open.err());
    assertTrue(open.out().contains("INCONCLUSIVE"), open.out());
  }

  @Test
  void wrongResultsAreNoted() throws IOException {
    String text = Files.readString(Path.of(RUNS + "all_gather.nccl-tests.txt"));
    Path file = folder.resolve("wrong.txt");
    Files.writeString(
        file,
        text.replaceFirst("(?m)^(  *536870912 .*  )0(  .*)$", "$17$2").replace("0 OK", "1 FAILED"));
    CliRun run = run(X4, NO_NVLS, "--sizes=8M:1G", "--against", file.toString());
    assertEquals(1, run.status(), run.out());
    assertTrue(
        run.err()
            .contains(
                "1 of 12 results were wrong (#wrong), the first that of all_gather of 536870912 B"),
        run.err());
    CliRun calibrated = CliRun.of("calibrate", file.toString(), "--topology", X4, NO_NVLS);
    assertTrue(calibrated.err().contains("were wrong"), calibrated.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nccl-tests.json",
        "mpirun.json",
        "graph.json",
        "timestamps.txt",
        "per-iteration.txt",
        "tagged.txt"
      })
  void noFormOfNcclTestsNeedsANote(String file) {
    String x2 = MEASURED.resolve("h200-x2.topo.xml").toString();
    CliRun run = run(x2, NO_NVLS, "--sizes=16M:64M", "--against", RUNS + "x2.all_reduce." + file);
    assertEquals(0, run.status(), run.out());
    assertEquals("", run.err());
  }

  @Test
  void aRunThatWasCutOffFails() throws IOException {
    String text = Files.readString(Path.of(RUNS + "all_gather.nccl-tests.txt"));
    Path file = folder.resolve("short.txt");
    Files.writeString(file, text.substring(0, text.indexOf("# Out of bounds")));
    CliRun run = run(X4, NO_NVLS, "--sizes=8M:1G", "--against", file.toString());
    assertEquals(1, run.status(), run.out());
    assertTrue(run.out().startsWith("The run failed (ends at 512 MiB of 1 GiB"), run.out());
    assertTrue(run.err().contains("the run was cut off"), run.err());
  }

  @Test
  void theToleranceIsInPercent() {
    String file = RUNS + "all_gather.nccl-tests.txt";
    assertEquals(0, run(X4, NO_NVLS, "--against", file).status());
    assertEquals(0, run(X4, NO_NVLS, "--tolerance=200", "--against", file).status());
    assertEquals(1, run(X4, NO_NVLS, "--tolerance=0.5", "--against", file).status());
  }

  @Test
  void aCudaGraphHasNoProcessesThatLaunch() {
    String replayed = ok(X4, NO_NVLS, "--collective=all_reduce", "--sizes=1G", "--cuda-graph");
    assertTrue(replayed.contains("replayed from a CUDA graph"), replayed);
    CliRun both = run(X4, "--cuda-graph", "--ranks-per-process=2");
    assertEquals(2, both.status());
    assertEquals(1, both.err().lines().filter(line -> line.contains("--cuda-graph")).count());
  }

  /** On a host whose launches are known small calls have a narrow range. */
  @Test
  void aStatedLaunchTimeNarrowsTheRangeOfSmallCalls() {
    String[] small = {
      X4, NO_NVLS, "--collective=all_reduce", "--sizes=8", "--ranks-per-process=4", "-v"
    };
    String any = ok(small);
    assertTrue(any.contains("16 to 42 us"), any);
    String[] known = Arrays.copyOf(small, small.length + 1);
    known[small.length] = "--launch-us=4";
    String stated = ok(known);
    assertTrue(stated.contains("4 GPUs for each process, 4.0 us a launch"), stated);
    assertTrue(stated.contains("9.1 to 21 us"), stated);
    CliRun graph = run(X4, "--cuda-graph", "--launch-us=4");
    assertEquals(2, graph.status());
    assertTrue(
        graph.err().contains("--cuda-graph: --launch-us has no effect with it"), graph.err());
    assertEquals(2, run(X4, "--launch-us=0").status());
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
  void aTunerFileOfSomeCollectivesHasNoRuleForOthers() {
    CliRun run =
        run(X4, NO_NVLS, "--ranks-per-process=4", "--format=tuner", "--collective=all_gather");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().contains("no rule for other collectives"), run.err());
  }

  @Test
  void aTunerFileMayRestOnMeasuredTimes() {
    String[] file = {X4, NO_NVLS, "--format=tuner"};
    CliRun run = run(words(file, "--measured=" + MEASURED.resolve("h200-x4.csv")));
    assertEquals(0, run.status(), run.err());
    String unforced = "--measured=" + RUNS + "all_gather.nccl-tests.txt";
    assertEquals(3, run(words(file, unforced)).status());
  }

  @Test
  void aTunerFileForSeveralNodesIsSaidToBeNcclsOwn() {
    CliRun run = run(machine("dgx-h100"), "--nodes=4", "--format=tuner");
    assertTrue(run.err().contains("the file contains NCCL's own choices"), run.err());
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
    assertTrue(run.out().startsWith("Reduce of 1 MiB on h200-x4"), run.out());
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

  /** The sentence of {@code -v} in percent is the mean and the largest of JSON's fractions. */
  @Test
  void whatABetterChoiceSavesIsInPercent() {
    String sizes = "--sizes=128K:512K:2";
    String call = "--collective=all_reduce";
    List<Double> regrets = new ArrayList<>();
    JsonNode json =
        JsonMapper.shared()
            .readTree(ok(machine("l40s-4"), sizes, call, "--algorithm=each", "--format=json"));
    json.get("best").forEach(best -> regrets.add(best.get("regret").asDouble()));
    double most = regrets.stream().mapToDouble(regret -> regret).max().orElseThrow();
    double mean = regrets.stream().mapToDouble(regret -> regret).average().orElseThrow();
    assertTrue(most > 0.05 && mean < most, regrets.toString());
    String sentence =
        "NCCL's choices take %.1f %% longer than the best on average over these sizes, %.0f %% at most"
            .formatted(100 * mean, 100 * most);
    String all = ok(machine("l40s-4"), sizes, call, "-v");
    assertEquals(sentence, part(all, "NCCL's choices.* at most"));
    String one = ok(machine("l40s-4"), "--sizes=256K", call, "-v");
    assertEquals(
        "NCCL's choice takes %.1f %% longer than the best".formatted(100 * most),
        part(one, "NCCL's choice takes.*best"));
  }

  private static String part(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().findFirst().orElseThrow().group();
  }

  @Test
  void otherCommandsTakeOneNumberOfNodes() {
    CliRun run = CliRun.of("tune", machine("dgx-h100"), "--nodes", "1,2");
    assertEquals(2, run.status());
    assertTrue(run.err().contains("--nodes 1,2: expected one number"), run.err());
  }
}
