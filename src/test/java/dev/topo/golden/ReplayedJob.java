package dev.topo.golden;

import dev.topo.hw.run.ReplayedCall;
import dev.topo.hw.verify.PlannedReplay;
import dev.topo.hw.verify.ReplayPlanner;
import dev.topo.hw.verify.ReplayedWorkload;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Invocation;
import dev.topo.model.io.OpenedFiles;
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
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What {@code topo run --workload} says of a traced job. It needs GPUs: the times are made up, 100
 * and 110 us for each call.
 */
final class ReplayedJob {
  private static final Path MEASURED =
      Path.of(System.getProperty("topo.root"), "src/test/resources/measured");
  private static final JobSummary SUMMARY = new JobSummary("host", 1, 2);
  private static final String NCCL = "2.30.7";

  private ReplayedJob() {}

  /** The answers by their formats. */
  static Map<String, String> answers() throws IOException {
    OpenedFiles.begin();
    Invocation.begin("topo", Json.TOPO_VERSION, "run", "--workload");
    ReplayedWorkload replayed = replayed();
    Map<String, String> answers = new TreeMap<>();
    answers.put("text", text(ReplayText.of(SUMMARY, replayed, NCCL)));
    answers.put("json", text(ReplayData.json(SUMMARY, replayed, NCCL)));
    answers.put("csv", text(ReplayData.csv(replayed)));
    return answers;
  }

  private static String text(Answer answer) throws IOException {
    StringBuilder text = new StringBuilder();
    answer.writeTo(text);
    return GoldenAnswer.inProject(text.toString());
  }

  private static ReplayedWorkload replayed() {
    List<RankTrace> traces =
        TraceFiles.read(
            List.of(
                MEASURED.resolve("h200-x2-workloads/fsdp.rank0.json.gz"),
                MEASURED.resolve("h200-x2-workloads/fsdp.rank1.json.gz")),
            () -> {});
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
    List<ReplayedCall> times =
        IntStream.range(0, planned.plan().calls().size())
            .mapToObj(i -> new ReplayedCall(i, List.of(100.0, 110.0), i == 1))
            .toList();
    return planned.with(WorkloadComparison.of(workload, group -> result), times);
  }
}
