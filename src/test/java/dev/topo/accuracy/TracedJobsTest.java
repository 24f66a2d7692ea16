package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.simulator.advice.Adviser;
import dev.topo.simulator.advice.Permission;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallSite.Basis;
import dev.topo.simulator.workload.JobOption;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.TraceMerger;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadAdviser;
import dev.topo.simulator.workload.WorkloadChange;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import dev.topo.simulator.workload.WorkloadComparison;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Kinds of calls, a change and advice for jobs that were traced on two H200 with NCCL 2.28.9 under
 * PyTorch 2.11. The model was not blind to them (docs/workload.md, "How far off").
 */
class TracedJobsTest {
  private static final Path TRACES = MeasuredSets.FOLDER.resolve("h200-x2-workloads");
  private static final long MIB = 1 << 20;
  private static final Set<Permission> USUAL = Set.of(Permission.SETTINGS, Permission.TUNER);

  private static final JobEvaluator EVALUATOR = new JobEvaluator(SharedGraphs.GRAPHS, new Inputs());

  /** The two GPUs with settings. */
  private static JobRequest job(String... settings) {
    JobRequest request = LeverRuns.request();
    Machine machine = request.job().machines().get(0);
    NcclSettings all = machine.settings().with(NcclSettings.parse(List.of(settings)));
    return request.withJob(Job.ofEqual(new Machine(machine.topology(), all), 1));
  }

  private static Workload workload(String job) {
    List<Path> files =
        List.of(TRACES.resolve(job + ".rank0.json.gz"), TRACES.resolve(job + ".rank1.json.gz"));
    return TraceMerger.join(TraceFiles.read(files, new Inputs(), () -> {}), 2);
  }

  private static WorkloadComparison comparison(Workload workload, String... settings) {
    JobResult both = EVALUATOR.evaluate(job(settings));
    return WorkloadComparison.of(workload, group -> both);
  }

  private static List<SiteComparison> kinds(String job) {
    return comparison(workload(job)).ofGroupKinds().sites();
  }

  /**
   * DDP, FSDP, experts, tensor, sequence and pipeline parallelism, and several groups in one step.
   * Errors are those of the median of each kind that ran alone, as often as it has calls, from 1
   * MiB and below; the launches of all kernels are as expected.
   */
  @Test
  void mediansOfKindsThatRanAloneAreAsExpected() {
    List<Double> large = new ArrayList<>();
    List<Double> small = new ArrayList<>();
    long choices = 0;
    for (String job : List.of("ddp", "fsdp", "moe", "tp", "sp", "pp", "mix")) {
      WorkloadComparison kinds = comparison(workload(job)).ofGroupKinds();
      assertEquals(kinds.knownChoices(), kinds.expectedChoices(), job);
      choices += kinds.knownChoices();
      for (SiteComparison one : kinds.sites()) {
        CallSite site = one.site();
        boolean isAlone =
            !site.isOverlapped() && !site.isConcurrent() && site.basis() != Basis.WITH_WAITING;
        if (isAlone && one.ratio().isPresent()) {
          double error = Math.abs(one.ratio().getAsDouble() - 1);
          (site.kind().bytes() < MIB ? small : large)
              .addAll(Collections.nCopies((int) site.count(), error));
        }
      }
    }
    assertEquals(40, choices);
    System.out.println(
        String.format(
            Locale.ROOT,
            "workload choices %d/%d; errors from 1 MiB median %.3f p90 %.3f (%d calls), below %.3f"
                + " %.3f (%d)",
            choices,
            choices,
            quantile(large, 0.5),
            quantile(large, 0.9),
            large.size(),
            quantile(small, 0.5),
            quantile(small, 0.9),
            small.size()));
    assertTrue(quantile(large, 0.5) < 0.045 && quantile(large, 0.9) < 0.11, large.toString());
    assertTrue(quantile(small, 0.5) < 0.065 && quantile(small, 0.9) < 0.13, small.toString());
  }

  private static double quantile(List<Double> errors, double part) {
    Collections.sort(errors);
    return errors.get((int) (part * errors.size()));
  }

  /** Two stages: the profiler names no call where PyTorch groups sends and receives. */
  @Test
  void sendsAndReceivesOfAGroupAreFound() {
    SiteComparison both = kinds("pp").get(0);
    CallKind kind = both.site().kind();
    assertEquals("send and recv", kind.name());
    assertEquals(12 << 20, kind.bytes());
    assertEquals(15, both.site().count());
    assertNotEquals(Basis.WITH_WAITING, both.site().basis());
    assertEquals(
        both.expected().map(one -> one.shape().channels()),
        both.site().shape().map(LaunchSize::channels));
  }

  @Test
  void callsBesideComputationAreMarkedAndSlower() {
    List<SiteComparison> kinds = kinds("ddp");
    assertFalse(kinds.isEmpty());
    for (SiteComparison one : kinds) {
      assertTrue(one.site().isOverlapped(), one.toString());
      assertTrue(one.ratio().orElseThrow() > 1.1, one.toString());
    }
  }

  /** Half the channels make calls longer, and what ran beside them hides no more than before. */
  @Test
  void aChangeOfTheSettingsChangesTheStep() {
    Workload fsdp = workload("fsdp");
    WorkloadChange change =
        new WorkloadChange("fewer", comparison(fsdp), comparison(fsdp, "NCCL_MAX_CTAS=8"))
            .ofGroupKinds();
    StepTime before = change.stepBefore();
    StepTime after = change.stepAfter();
    double longer = after.communicationUs() - before.communicationUs();
    assertTrue(longer > 3000, change.toString());
    double exposed = after.exposedUs().orElseThrow() - before.exposedUs().orElseThrow();
    assertTrue(exposed <= longer + 1, change.toString());
    assertTrue(after.lowUs() < after.communicationUs(), change.toString());
    assertFalse(change.changed().isEmpty());
    change.changed().forEach(call -> assertEquals(8, call.after().shape().channels()));
  }

  /** A refused call fails the job: the step has no time. */
  @Test
  void aChangeThatNcclRefusesIsNone() {
    Workload fsdp = workload("fsdp");
    WorkloadChange change =
        new WorkloadChange("tree", comparison(fsdp), comparison(fsdp, "NCCL_ALGO=Tree"));
    assertEquals(2, change.ofGroupKinds().refusals().size());
    String reason = "no algorithm and protocol can run AllGather with NCCL_ALGO=Tree";
    assertTrue(
        change.refusals().containsKey("NCCL refuses the call: " + reason),
        change.refusals().toString());
  }

  private static Optional<JobOption> best(Workload workload, Set<Permission> may) {
    Adviser adviser = new Adviser(EVALUATOR, job(), may);
    return new WorkloadAdviser(comparison(workload), group -> adviser, may)
        .advise().ofGroupKinds().options().stream().findFirst();
  }

  /**
   * The sum over all calls, by their times in the traces: each takes as much less time as advice
   * for it says.
   */
  @Test
  void theBestSettingsAreThoseOfTheSumOverAllCalls() {
    Workload fsdp = workload("fsdp");
    List<SiteComparison> sites = comparison(fsdp).ofGroupKinds().sites();
    JobOption option = best(fsdp, USUAL).orElseThrow();
    assertTrue(option.isAdvised());
    assertEquals(Map.of("NCCL_MIN_CTAS", "32"), option.settings().values());
    assertEquals(List.of(), option.byTuner());
    double before = 0;
    double after = 0;
    for (int i = 0; i < sites.size(); i++) {
      double totalUs = sites.get(i).site().totalUs();
      before += totalUs;
      after += totalUs / (1 + option.changed().get(i).gain().percent() / 100);
    }
    assertEquals(100 * (before / after - 1), option.gain().percent(), 0.01);
    assertEquals(
        fsdp.step().orElseThrow().communicationUs() - (before - after) / 3,
        option.step().communicationUs(),
        1);
    assertTrue(option.gain().leastPercent() > 2, option.toString());
    assertEquals(8, option.moreCtas());
    assertTrue(option.takesFromComputation());
  }

  /** Where computation runs beside a call, less than the whole gain is exposed. */
  @Test
  void whatIsHiddenGainsNothing() {
    Workload ddp = workload("ddp");
    Workload.Step now = ddp.step().orElseThrow();
    StepTime then = best(ddp, Set.of(Permission.CODE, Permission.SETTINGS)).orElseThrow().step();
    double communication = now.communicationUs() - then.communicationUs();
    double exposed = now.exposedUs().orElseThrow() - then.exposedUs().orElseThrow();
    assertTrue(communication > 0 && exposed < 0.9 * communication, then.toString());
  }

  /** Sends of a pipeline have nothing to gain by channels of collectives. */
  @Test
  void whereNothingGainsNothingIsAdvised() {
    assertFalse(best(workload("pp"), USUAL).map(JobOption::isAdvised).orElse(false));
  }
}
