package dev.topo.simulator.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.job.Machine;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.fixture.TestJobs;
import dev.topo.simulator.verdict.MeasurementVerdict.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Verdicts on runs of two and four H200, and on made-up times of larger machines. */
class MeasurementVerdictTest {
  private static final Path RUNS = TestJobs.MEASURED.resolve("h200-x4-run");
  private static final String HEADING =
      "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n";
  private static final String FOUR = "h200-x4";
  private static final String TWO = "h200-x2";

  private static MeasuredRun run(String text) {
    return RunReader.read(text, "run", RunHints.NOTHING);
  }

  private static String text(String file) throws IOException {
    return Files.readString(RUNS.resolve(file));
  }

  private static JobRequest job(String machine, MeasuredRun run) {
    Machine measured = TestJobs.measured(machine);
    return TestJobs.on(measured).withGpusPerProcess(run.gpusPerProcess().orElse(measured.nRanks()));
  }

  private static List<MeasurementVerdict> verdicts(
      MeasuredRun run, JobRequest job, OptionalDouble tolerance) {
    return MeasurementVerdict.of(
        run,
        one -> CollectiveCall.of(one.collective(), one.sizeBytes()),
        TestJobs.predictor(job),
        tolerance);
  }

  /** The verdicts on the sizes of a run that are in a range. */
  private static List<MeasurementVerdict> verdicts(String machine, String text, String sizes) {
    List<Long> requested = CallSizes.parse(sizes);
    MeasuredRun run = run(text).only(one -> CallSizes.areAround(requested, one.sizeBytes()));
    return verdicts(run, job(machine, run), OptionalDouble.empty());
  }

  private static List<String> words(List<MeasurementVerdict> verdicts) {
    return verdicts.stream().map(MeasurementVerdict::verdict).toList();
  }

  @Test
  void whatIsAsFastAsPredictedPasses() throws IOException {
    String text = text("all_reduce.nccl-tests.txt");
    assertEquals(4, run(text).gpusPerProcess().orElseThrow());
    assertEquals("3 of 3 PASS", MeasurementVerdict.summary(verdicts(FOUR, text, "32M:1G")));
    String processes = text("all_reduce.processes.json");
    assertTrue(
        verdicts(FOUR, processes, "32K:1G").stream().allMatch(MeasurementVerdict::passes),
        processes);
  }

  /** One of four sizes was slow once. */
  @Test
  void outOfPlaceAndInPlaceEachCount() throws IOException {
    List<MeasurementVerdict> verdicts = verdicts(FOUR, text("all_reduce.nccl-tests.txt"), "8M:1G");
    assertEquals("3 passed, 1 failed, 0 not decided", MeasurementVerdict.summary(verdicts));
    assertTrue(words(verdicts).contains("FAIL: slower than predicted out of place"));
  }

  @ParameterizedTest
  @CsvSource({
    "2254.37  238.15  178.61, FAIL: slower than predicted",
    "1304.37  411.60  308.70, FAIL: slower than predicted out of place"
  })
  void whatIsSlowerFails(String inPlace, String verdict) throws IOException {
    String slow =
        text("all_gather.nccl-tests.txt")
            .replace("1277.67  420.20  315.15", "2277.67  235.71  176.78")
            .replace("1254.37  428.00  321.00", inPlace);
    List<MeasurementVerdict> verdicts = verdicts(FOUR, slow, "8M:1G");
    assertEquals(List.of("PASS", "PASS", "PASS", verdict), words(verdicts));
  }

  @Test
  void aWrongResultFailsHoweverFastItWas() throws IOException {
    String wrong =
        text("all_gather.nccl-tests.txt")
            .replaceFirst("(?m)^(  *536870912 .*  )0(  .*)$", "$17$2")
            .replace("0 OK", "1 FAILED");
    List<MeasurementVerdict> verdicts = verdicts(FOUR, wrong, "8M:1G");
    assertEquals("3 passed, 1 failed, 0 not decided", MeasurementVerdict.summary(verdicts));
    assertTrue(words(verdicts).contains("FAIL: wrong result"), verdicts.toString());
  }

  /** From GPUs: topo run with --corrupt, and nccl-tests under mpirun --tag-output. */
  @Test
  void runsOfTwoGpusAreJudged() throws IOException {
    MeasuredRun wrong = run(text("x2.all_reduce.wrong.json"));
    assertEquals(
        "0 passed, 4 failed, 0 not decided",
        MeasurementVerdict.summary(verdicts(wrong, job(TWO, wrong), OptionalDouble.empty())));
    MeasuredRun tagged = run(text("x2.all_reduce.tagged.txt"));
    assertEquals(1, tagged.gpusPerProcess().orElseThrow());
    assertEquals(
        "4 of 4 PASS",
        MeasurementVerdict.summary(verdicts(tagged, job(TWO, tagged), OptionalDouble.empty())));
  }

  /** What nccl-tests writes: a device for each process, numbers of wrong elements with decimals. */
  @ParameterizedTest
  @CsvSource({
    "nccl-tests.json, 2",
    "mpirun.json, 1",
    "graph.json, 0",
    "timestamps.txt, 2",
    "per-iteration.txt, 2"
  })
  void everyFormOfNcclTestsPasses(String file, int gpusPerProcess) throws IOException {
    String text = text("x2.all_reduce." + file);
    assertEquals(gpusPerProcess, run(text).gpusPerProcess().orElseThrow());
    assertEquals("2 of 2 PASS", MeasurementVerdict.summary(verdicts(TWO, text, "16M:64M")));
  }

  /**
   * Launching took up to twice as long on the host of these runs: the smallest calls pass all the
   * same. Beyond that they fail.
   */
  @Test
  void launchesDependOnTheHost() throws IOException {
    MeasuredRun run = run(text("all_gather.nccl-tests.txt"));
    List<MeasurementVerdict> verdicts = verdicts(run, job(FOUR, run), OptionalDouble.empty());
    assertEquals("12 of 12 PASS", MeasurementVerdict.summary(verdicts));
    assertEquals(6, verdicts.stream().filter(MeasurementVerdict::hasSlowLaunches).count());
    List<MeasurementVerdict> strict = verdicts(run, job(FOUR, run), OptionalDouble.of(0.005));
    assertFalse(strict.stream().allMatch(MeasurementVerdict::passes));
  }

  /** One process for all GPUs, as in the measurements that are shared. */
  @Test
  void everyTimeOfFourGpusPasses() throws IOException {
    MeasuredRun run = run(Files.readString(TestJobs.MEASURED.resolve("h200-x4.csv")));
    assertTrue(run.gpusPerProcess().isEmpty());
    CallPredictor predictor = TestJobs.predictor(job(FOUR, run));
    List<MeasurementVerdict> verdicts = verdicts(run, job(FOUR, run), OptionalDouble.empty());
    assertEquals("666 of 666 PASS", MeasurementVerdict.summary(verdicts));
    List<PeerVerdict> peers = PeerVerdict.of(run.peers(), predictor, OptionalDouble.empty());
    assertEquals(57, peers.size());
    assertTrue(peers.stream().allMatch(PeerVerdict::passes), peers.toString());
  }

  /** Azure ND H100 v5 took 42 us for 1 MiB (docs/accuracy.md), and is well. */
  @ParameterizedTest
  @CsvSource({
    "1048576, 42.0, PASS",
    "1048576, 61.0, FAIL",
    "1073741824, 4029, PASS",
    "1073741824, 6000, FAIL"
  })
  void moreGpusThanWereMeasuredMayTakeLonger(long bytes, double us, Outcome outcome) {
    MeasuredRun run = run(HEADING + "8,all_reduce,,,%d,%s,%s%n".formatted(bytes, us, us));
    List<MeasurementVerdict> verdicts =
        verdicts(run, TestJobs.on(TestJobs.shipped("dgx-h100")), OptionalDouble.empty());
    assertEquals(List.of(outcome), verdicts.stream().map(MeasurementVerdict::outcome).toList());
  }

  /** Times of AllReduce: MiB, busbw out of place and in place. */
  private static List<MeasurementVerdict> ofBusbw(String machine, int nodes, String rows) {
    JobRequest job = TestJobs.on(TestJobs.shipped(machine), nodes);
    int gpus = job.job().nRanks();
    StringBuilder text = new StringBuilder(HEADING);
    for (String row : rows.split(" ")) {
      String[] cells = row.split(":");
      long bytes = Long.parseLong(cells[0]) << 20;
      double factor = 2.0 * (gpus - 1) / gpus * bytes / 1e3;
      double out = factor / Double.parseDouble(cells[1]);
      double in = factor / Double.parseDouble(cells[2]);
      text.append("%d,all_reduce,,,%d,%.3f,%.3f%n".formatted(gpus, bytes, out, in));
    }
    return verdicts(run(text.toString()), job, OptionalDouble.empty());
  }

  /** Between nodes a range decides, where one is known. */
  @ParameterizedTest
  @CsvSource({
    "dgx-h100, 2, 1:3:3 1024:437:440 8192:470:470, '2 passed, 1 failed, 0 not decided'",
    "dgx-h100, 2, 1:3:3 1024:185:190 8192:190:190, '0 passed, 3 failed, 0 not decided'",
    "dgx-h100, 2, 1024:437:190, '0 passed, 1 failed, 0 not decided'",
    "dgx-h100, 2, 8192:900:470 8192:470:900, '0 passed, 2 failed, 0 not decided'",
    "hgx-h100-sharp, 12, 8192:387:387, 1 of 1 PASS",
    "dgx-h100, 13, 8192:190:190, '0 passed, 1 failed, 0 not decided'",
    "dgx-h100, 130, 8192:330:330, '0 passed, 0 failed, 1 not decided: no range is known for such"
        + " calls between nodes'",
    "dgx-h100, 1, 1024:466:466 8192:479:479, 2 of 2 PASS",
    "dgx-h100, 1, 1024:230:230 8192:240:240, '0 passed, 2 failed, 0 not decided'",
    "dgx-h100, 1, 8192:800:479, '0 passed, 1 failed, 0 not decided'",
    "v100-4-mesh, 1, 1024:100:100, '0 passed, 0 failed, 1 not decided: no calibration for this"
        + " machine'",
    "v100-4-mesh, 1, 1024:34:100 1024:200:100, '0 passed, 2 failed, 0 not decided'",
  })
  void nothingPassesThatNothingSaysIsHealthy(
      String machine, int nodes, String rows, String summary) {
    assertEquals(summary, MeasurementVerdict.summary(ofBusbw(machine, nodes, rows)));
  }

  @Test
  void anUndecidedVerdictHasItsReason() {
    MeasurementVerdict verdict = ofBusbw("dgx-h100", 130, "1024:330:330").get(0);
    assertEquals(Outcome.INCONCLUSIVE, verdict.outcome());
    assertEquals("no range is known for such calls between nodes", verdict.reason());
    assertFalse(verdict.passes());
  }
}
