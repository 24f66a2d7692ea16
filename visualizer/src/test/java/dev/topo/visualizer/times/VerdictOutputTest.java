package dev.topo.visualizer.times;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.verdict.JudgedRun;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Verdicts as CSV, JSON and text. */
class VerdictOutputTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path MEASURED = ROOT.resolve("src/test/resources/measured");
  private static final long LARGE = 8L << 20;

  /** The verdicts on a run, beside what they rest on. */
  private record Judged(CommunicatorPredictions forecast, List<MeasurementVerdict> verdicts) {
    JudgedRun run() {
      return new JudgedRun("run.txt", List.of(), forecast, verdicts, List.of());
    }
  }

  /** The verdicts on a run of one process for each node. */
  private static Judged judged(Path file, int nodes, MeasuredRun run) {
    Machine machine =
        new Machine(
            new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics()),
            NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0")));
    JobResult result =
        new JobEvaluator()
            .evaluate(
                JobRequest.of(Job.ofEqual(machine, nodes), List.of())
                    .withGpusPerProcess(machine.nRanks()));
    List<MeasurementVerdict> verdicts =
        MeasurementVerdict.of(
            run,
            one -> CollectiveCall.of(one.collective(), one.sizeBytes()),
            result.predictor(),
            OptionalDouble.empty());
    List<CollectivePrediction> predictions =
        verdicts.stream().map(MeasurementVerdict::prediction).toList();
    return new Judged(
        new CommunicatorPredictions("a job", result, List.of(), predictions), verdicts);
  }

  private static String gather() throws IOException {
    return Files.readString(MEASURED.resolve("h200-x4-run/all_gather.nccl-tests.txt"));
  }

  private static Judged ofFour(String text) {
    return judged(
        MEASURED.resolve("h200-x4.topo.xml"), 1, RunReader.read(text, "run.txt", RunHints.NOTHING));
  }

  private static String written(Answer answer) throws IOException {
    StringBuilder text = new StringBuilder();
    answer.writeTo(text);
    return text.toString();
  }

  @Test
  void csvEndsWithTheVerdictAndWhatItRestsOn() throws IOException {
    String slow =
        gather()
            .replace("1277.67  420.20  315.15", "2277.67  235.71  176.78")
            .replace("1254.37  428.00  321.00", "2254.37  238.15  178.61");
    MeasuredRun run =
        RunReader.read(slow, "run.txt", RunHints.NOTHING).only(one -> one.sizeBytes() >= LARGE);
    Judged judged = judged(MEASURED.resolve("h200-x4.topo.xml"), 1, run);
    String csv = written(VerdictOutput.csv(judged.run(), List.of()));
    String from = ",true,calibration,";
    assertEquals(
        List.of(
            "verdict,reason,calibrated,source,caveats",
            "PASS," + from,
            "PASS," + from,
            "PASS," + from,
            "FAIL,slower than predicted" + from),
        csv.lines().map(line -> line.replaceFirst(".*,(verdict|PASS|FAIL)", "$1")).toList());
  }

  /** In place 7 % longer than predicted, out of place as fast. */
  @Test
  void theSentenceNamesTheSlowerColumnOfTheCallNearestItsLimit() throws IOException {
    MeasuredRun run =
        RunReader.read(
                gather().replace("1254.37  428.00  321.00", "1354.37  396.40  297.30"),
                "run.txt",
                RunHints.NOTHING)
            .only(one -> one.sizeBytes() >= 512L << 20);
    String sentence =
        VerdictSentence.of(judged(MEASURED.resolve("h200-x4.topo.xml"), 1, run).run());
    assertTrue(
        sentence.contains("nearest its limit is AllGather of 512 MiB by Ring/Simple, +7 % where "),
        sentence);
  }

  @Test
  void jsonHasTheReasonOfAnUndecidedVerdict() throws IOException {
    String rows =
        "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n"
            + "8,all_reduce,,,1073741824,126000,125000\n";
    Judged judged =
        judged(
            ROOT.resolve("topologies/l40s-4.xml"),
            2,
            RunReader.read(rows, "run.csv", RunHints.NOTHING));
    JsonNode tree =
        JsonMapper.shared().readTree(written(VerdictOutput.json(judged.run(), List.of())));
    JsonNode verdict = tree.get("verdicts").get(0);
    assertEquals("INCONCLUSIVE", verdict.get("verdict").asString());
    assertEquals(
        "no range is known for such calls between nodes", verdict.get("reason").asString());
    assertFalse(verdict.get("passes").asBoolean());
  }

  @Test
  void textCountsSlowLaunches() throws IOException {
    Judged four = ofFour(gather());
    String text = written(VerdictOutput.of(four.run(), true));
    assertTrue(text.contains("\nrun.txt: 12 of 12 PASS\n"), text);
    assertTrue(
        text.endsWith(
            "\n6 took longer to launch than on the calibrated host, which depends on the CPU\n"),
        text);
  }
}
