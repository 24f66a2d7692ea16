package dev.topo.cli;

import dev.topo.cli.option.BriefOption;
import dev.topo.cli.option.CalibrationOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.JobInput;
import dev.topo.cli.option.JobOptions;
import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.advice.Adviser;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadAdviser;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.simulator.workload.WorkloadMemory;
import dev.topo.visualizer.report.WorkloadSubject;
import dev.topo.visualizer.study.Changes;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.JobSummary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo workload}: the collectives of a real job beside what the model expects of them. */
@Command(
    name = "workload",
    description = {
      "Analyses the communication in the traces of a job: measured and expected times, NCCL's choices, exposed and hidden"
          + " time, late ranks."
    },
    footer = {
      "",
      "TRACE: a trace of PyTorch's profiler (JSON, also gzipped) of each rank, NCCL Inspector's JSON, a Flight",
      "Recorder dump, a Chakra execution trace (NAME.RANK.et), or CSV with the columns",
      "group,operation,bytes,datatype,count. A call lasts from the arrival of its last rank to its end where the",
      "traces of all ranks are given; else its time includes waiting.",
      "",
      "Example: topo workload trace.rank*.json.gz --machine system.xml",
      "Example: topo workload trace.rank*.json.gz --machine system.xml --format csv -o calls.csv",
      "Example: topo workload trace.rank*.json.gz --machine system.xml -o page.html",
      "Example: topo workload trace.rank*.json.gz --machine system.xml --whatif 'env NCCL_MAX_CTAS=32'",
      "Example: topo workload trace.rank*.json.gz --machine system.xml --nodes 8 --scale dp",
      "Example: topo workload trace.rank*.json.gz --machine system.xml --advise --may settings,tuner,code",
      "Example: topo workload calls.csv --machine topologies/dgx-h100.xml --nodes 4"
    })
final class WorkloadCommand extends Subcommand {
  private static final Path ANSWER = Path.of("workload");

  @Parameters(paramLabel = "TRACE", arity = "1..*", description = "Traces of the job.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--machine",
      paramLabel = "FILE",
      description = "The topology of a node of the job.")
  private @Nullable Path machine;

  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: by the ending of -o, else text).")
  private WorkloadFormat format = WorkloadFormat.text;

  @Option(
      names = "--memory",
      description =
          "Also show the memory that NCCL takes of a GPU for all groups of its rank (text, JSON, HTML).")
  private boolean wantsMemory;

  @Mixin private WorkloadOptions change = new WorkloadOptions();
  @Mixin private WorkloadAdviceOptions advise = new WorkloadAdviceOptions();
  @Mixin private JobOptions job = new JobOptions();
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  @Mixin private OutputOptions output = new OutputOptions();
  @Mixin private BriefOption brief = new BriefOption();

  @Override
  Optional<BriefOption> brief() {
    return Optional.of(brief);
  }

  @Override
  public Integer call() {
    if (machine == null && !job.hasNodeList()) {
      throw new SettingException(
          "expected --machine FILE, the topology of a node of the job (topo probe, or NCCL_TOPO_DUMP_FILE)");
    }
    if (job.hasSplit() || job.hasRanks()) {
      throw new SettingException(
          "the traces have the groups of the job: --split and --ranks cannot be combined with them");
    }
    if (wantsMemory && format == WorkloadFormat.csv) {
      throw new SettingException("--memory: expected --format text, json or html");
    }
    change.check(spec().commandLine().getParseResult().hasMatchedOption("--nodes"));
    OutputPlan plan =
        output.plan(List.of(ANSWER), format.extension(), format.isText(), inputs(), streams());
    List<RankTrace> traces = traces(files);
    Optional<ReleaseRules> traced =
        traces.stream()
            .flatMap(trace -> trace.ncclVersion().stream())
            .findFirst()
            .flatMap(found -> RunOrigin.ofVersion(found).rules());
    traced.ifPresent(rules -> version.follow(RunOrigin.ofVersion(rules.release().toString())));
    NcclSettings settings = setting.forJob(environment(), version.rules(), streams());
    ReleaseRules rules = traced.orElseGet(version::rules);
    TracedJob whole = traced(traces, rules.profile(), settings);
    CallTimeline timeline = new CallTimeline(format == WorkloadFormat.html ? traces : List.of());
    TracedPlace place = TracedPlace.of(traces, whole.job());
    Workload workload = place.workload(files.get(0), timeline);
    Envelope envelope =
        envelope(version.rules(), caveats(whole, place.caveats(whole.whole().name())));
    Function<ProcessGroup, JobResult> groups =
        whole.each(part -> evaluate().apply(part, rules.profile()));
    WorkloadComparison comparison = WorkloadComparison.of(workload, groups);
    Optional<WorkloadMemory> memory =
        wantsMemory
            ? WorkloadMemory.of(workload.sites(), whole.job().nRanks(), ProcessGroup::ranks, groups)
            : Optional.empty();
    Changes changes = changes(comparison, whole, change.isWanted(traced, version.rules()));
    plan.write(
        ANSWER,
        rendered(
            answer(whole, comparison, memory, timeline, changes, rules, envelope),
            envelope,
            format.name()));
    return ExitStatus.DONE;
  }

  private Answer answer(
      TracedJob whole,
      WorkloadComparison comparison,
      Optional<WorkloadMemory> memory,
      CallTimeline timeline,
      Changes changes,
      ReleaseRules rules,
      Envelope envelope) {
    Job on = whole.job();
    String machines = whole.whole().name();
    WorkloadSubject subject =
        new WorkloadSubject(
            machines,
            JobSummary.place(on),
            rules,
            comparison,
            timeline,
            changes.change(),
            memory,
            envelope.caveats());
    JobSummary summary = new JobSummary(machines, on.machines().size(), on.nRanks());
    return format.of(subject, summary, changes, input.isVerbose(), envelope.invocation());
  }

  /** The job that was traced; with --scale on as many nodes as it needs. */
  private TracedJob traced(List<RankTrace> traces, NcclProfile profile, NcclSettings settings) {
    JobInput from = new JobInput(input(), settings, profile, streams());
    List<Path> machines = machine == null ? List.of() : List.of(machine);
    if (!change.isScaled()) {
      return new TracedJob(job.layout(machines), from, job.parts(machines, from).get(0));
    }
    int perNode = input().topology(file(), profile).gpus().size();
    int ranks = TracedPlace.worldSize(traces, perNode);
    int nodes = Math.max(1, (ranks + perNode - 1) / perNode);
    RankLayout layout = job.layout(machines, nodes);
    return new TracedJob(layout, from, from.resolve(layout).parts().get(0));
  }

  private InputMachines input() {
    return input.machines(inputs(), streams());
  }

  private Path file() {
    Path named = machine;
    if (named == null || job.hasDomains()) {
      throw new SettingException(
          "--whatif, --scale and another --nccl: expected --machine FILE and no --nvlink-domain");
    }
    return named;
  }

  private List<Caveat> caveats(TracedJob whole, List<Caveat> ofTraces) {
    CaveatCollector caveats = input().caveats(version::rules);
    job.state(caveats);
    caveats.addJob(
        whole.topologies(),
        whole.job().machines().size(),
        false,
        calibration.withoutModelled(whole.settings()));
    caveats.add(ofTraces);
    return caveats.list();
  }

  private JobRequest request(Job part, NcclProfile profile) {
    return calibration.applyTo(JobRequest.of(part, profile, List.of()), inputs());
  }

  private BiFunction<Job, NcclProfile, JobResult> evaluate() {
    return (part, profile) -> evaluator().evaluate(request(part, profile));
  }

  private Changes changes(WorkloadComparison comparison, TracedJob whole, boolean isChanged) {
    advise.check(isChanged, format.hasAdvice());
    return new Changes(
        isChanged
            ? Optional.of(
                new TracedChange(
                        change, input(), file(), job.counts().get(0), version.rules(), evaluate())
                    .of(comparison, whole.settings()))
            : Optional.empty(),
        advise.isWanted() ? Optional.of(advice(comparison, whole)) : Optional.empty());
  }

  private JobAdvice advice(WorkloadComparison comparison, TracedJob whole) {
    try (Progress.Task task = begin("advice", 1)) {
      task.next();
      Function<ProcessGroup, Adviser> advisers =
          whole.each(
              part -> new Adviser(evaluator(), request(part, whole.profile()), advise.may()));
      return new WorkloadAdviser(comparison, advisers, advise.may()).advise();
    }
  }
}
