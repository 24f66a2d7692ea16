package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.run.ReplayedCall;
import dev.topo.hw.verify.PlannedReplay;
import dev.topo.hw.verify.ReplayPlanner;
import dev.topo.hw.verify.ReplayedWorkload;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.workload.CallJoiner;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.visualizer.study.ReplayData;
import dev.topo.visualizer.study.ReplayText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.CaveatMark;
import dev.topo.visualizer.view.JobSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@code topo run --workload} says, with made-up times of the replay: 100 us each, 10 % more.
 */
class ReplayAnswerTest {
  private static final Path MEASURED =
      Path.of(System.getProperty("topo.root"), "src/test/resources/measured");
  private static final JobSummary SUMMARY = new JobSummary("host", 1, 2);

  private static ReplayedWorkload replayed(String job) {
    List<Path> files =
        List.of(
            MEASURED.resolve("h200-x2-workloads/" + job + ".rank0.json.gz"),
            MEASURED.resolve("h200-x2-workloads/" + job + ".rank1.json.gz"));
    List<RankTrace> traces = TraceFiles.read(files, () -> {});
    CallTimeline timeline = new CallTimeline(traces);
    Workload workload = CallJoiner.join(traces, TraceFiles.worldSize(traces), timeline);
    PlannedReplay planned = new ReplayPlanner(workload, timeline).plan(false, 2);
    Machine machine =
        new Machine(
            new TopologyReader(false, ReleaseRules.DEFAULT.profile())
                .read(MEASURED.resolve("h200-x2.topo.xml"), GpuSelection.ALL, new Diagnostics()),
            NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0")));
    JobResult result =
        new JobEvaluator(ReleaseRules.DEFAULT.profile())
            .evaluate(JobRequest.of(Job.ofEqual(machine, 1), List.of()));
    List<ReplayedCall> times = new ArrayList<>();
    for (int i = 0; i < planned.plan().calls().size(); i++) {
      times.add(new ReplayedCall(i, List.of(100.0, 110.0), i == 1));
    }
    return planned.with(WorkloadComparison.of(workload, group -> result), times);
  }

  private static String text(Answer answer) throws IOException {
    StringBuilder text = new StringBuilder();
    answer.writeTo(text);
    return text.toString();
  }

  @Test
  void aPersonReadsTracedReplayedAndExpected() throws IOException {
    String text = text(ReplayText.of(SUMMARY, replayed("fsdp"), "2.30.7"));
    assertTrue(
        text.startsWith(
            """
            host: 2 ranks on 1 node; traces of 2 ranks, NCCL 2.28.9
            replayed by NCCL 2.30.7: 2 rounds of 72 calls
            """),
        text);
    List<String> first = text.lines().filter(line -> line.contains("AllGather")).toList();
    assertTrue(
        first.get(0).matches(".*27 +214.9 us +105.0 us +222.0 us .* 2.05 +0.47 +Ring/Simple"),
        first.get(0));
    assertTrue(text.contains("replayed time has launches"), text);
    // Those of the kind without launches and beside nothing.
    assertTrue(
        text.contains(
            "\n27 calls ran alone and all their ranks were traced: traced and replayed times differ by 105 %"),
        text);
  }

  @ParameterizedTest
  @CsvSource({"fsdp", "pp", "mix", "moe"})
  void documentsHaveTheFieldsOfTheirSchema(String job) throws IOException {
    CaveatMark mark =
        new CaveatMark(
            line -> {}, ReleaseRules.DEFAULT, CaveatFinder.ofRelease(ReleaseRules.DEFAULT));
    String json = text(mark.mark("json", ReplayData.json(SUMMARY, replayed(job), "2.28.9")));
    assertEquals(List.of(), SchemaTest.faults("replay", json));
  }

  @Test
  void aTableHasARowForEachKind() throws IOException {
    List<String> lines = text(ReplayData.csv(replayed("fsdp"))).lines().toList();
    assertEquals(5, lines.size());
    assertEquals(23, lines.get(0).split(",").length);
    assertTrue(lines.get(1).startsWith("default_pg,all_gather,"), lines.get(1));
  }
}
