package dev.topo.cli;

import dev.topo.cli.option.CalibrationOptions;
import dev.topo.cli.option.Format;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.JobInput;
import dev.topo.cli.option.JobOptions;
import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.Topology;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.advice.Adviser;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.workload.CallJoiner;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.GroupEvaluator;
import dev.topo.simulator.workload.GroupShape;
import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.ParallelScale;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadAdviser;
import dev.topo.simulator.workload.WorkloadChange;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.visualizer.report.WorkloadPage;
import dev.topo.visualizer.report.WorkloadSubject;
import dev.topo.visualizer.study.Changes;
import dev.topo.visualizer.study.WorkloadData;
import dev.topo.visualizer.study.WorkloadText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.JobSummary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
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

  @Mixin private WorkloadOptions change = new WorkloadOptions();
  @Mixin private WorkloadAdviceOptions advise = new WorkloadAdviceOptions();
  @Mixin private JobOptions job = new JobOptions();
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  private enum WorkloadFormat implements Format {
    text,
    json,
    csv,
    html
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
    change.check(spec().commandLine().getParseResult().hasMatchedOption("--nodes"));
    OutputPlan plan =
        output.plan(List.of(ANSWER), format.extension(), format.isText(), inputs(), streams());
    List<RankTrace> traces;
    try (Progress.Task task = begin("trace", files.size())) {
      traces = TraceFiles.read(files, inputs(), task::next);
    }
    Optional<ReleaseRules> traced =
        traces.stream()
            .flatMap(trace -> trace.ncclVersion().stream())
            .findFirst()
            .flatMap(found -> RunOrigin.ofVersion(found).rules());
    traced.ifPresent(rules -> version.follow(RunOrigin.ofVersion(rules.release().toString())));
    NcclSettings settings = setting.forJob(environment(), version.rules(), streams());
    NcclProfile profile = traced.orElseGet(version::rules).profile();
    JobPart whole = base(traces, profile, settings);
    CallTimeline timeline = new CallTimeline(format == WorkloadFormat.html ? traces : List.of());
    Workload workload = workload(traces, whole.job(), timeline);
    CaveatCollector caveats = input().caveats(version::rules);
    job.state(caveats);
    caveats.addJob(
        topologies(whole),
        whole.job().machines().size(),
        false,
        calibration.withoutModelled(settings));
    caveats.add(TracedPlace.of(traces, whole.job()).caveats(whole.name()));
    WorkloadComparison comparison =
        WorkloadComparison.of(workload, groups(whole.job(), profile, settings));
    boolean isChanged = change.isWanted(traced, version.rules());
    advise.check(isChanged, format == WorkloadFormat.text || format == WorkloadFormat.json);
    Optional<WorkloadChange> after =
        isChanged ? Optional.of(changed(comparison, settings)) : Optional.empty();
    Optional<JobAdvice> advice =
        advise.isWanted()
            ? Optional.of(advice(comparison, whole.job(), profile, settings))
            : Optional.empty();
    JobSummary summary =
        new JobSummary(whole.name(), whole.job().machines().size(), whole.job().nRanks());
    Envelope envelope = envelope(version.rules(), caveats.list());
    plan.write(
        ANSWER,
        rendered(
            answer(
                summary,
                JobSummary.place(whole.job()),
                comparison,
                timeline,
                new Changes(after, advice),
                traced.orElseGet(version::rules),
                envelope),
            envelope,
            format.name()));
    return ExitStatus.DONE;
  }

  private Answer answer(
      JobSummary summary,
      String place,
      WorkloadComparison comparison,
      CallTimeline timeline,
      Changes changes,
      ReleaseRules rules,
      Envelope envelope) {
    return switch (format) {
      case text -> WorkloadText.of(summary.machines(), place, comparison, changes);
      case json -> WorkloadData.json(summary, comparison, changes);
      case csv -> WorkloadData.csv(comparison, changes.change());
      case html ->
          Answer.of(
              WorkloadPage.of(
                  new WorkloadSubject(
                      summary.machines(),
                      place,
                      rules,
                      comparison,
                      timeline,
                      changes.change(),
                      envelope.caveats()),
                  envelope.invocation()));
    };
  }

  /** The job that was traced; with --scale on as many nodes as it needs. */
  private JobPart base(List<RankTrace> traces, NcclProfile profile, NcclSettings settings) {
    JobInput from = new JobInput(input(), settings, profile, streams());
    if (!change.isScaled()) {
      return job.parts(machines(), from).get(0);
    }
    int perNode = input().topology(file(), profile).gpus().size();
    int nodes = Math.max(1, (worldSize(traces, perNode) + perNode - 1) / perNode);
    return from.resolve(job.layout(machines(), nodes)).parts().get(0);
  }

  private InputMachines input() {
    return input.machines(inputs(), streams());
  }

  private List<Path> machines() {
    return machine == null ? List.of() : List.of(machine);
  }

  private Path file() {
    Path named = machine;
    if (named == null || job.hasDomains()) {
      throw new SettingException(
          "--whatif, --scale and another --nccl: expected --machine FILE and no --nvlink-domain");
    }
    return named;
  }

  private static Map<Path, Topology> topologies(JobPart whole) {
    Map<Path, Topology> topologies = new LinkedHashMap<>();
    for (int node = 0; node < whole.job().machines().size(); node++) {
      Machine one = whole.job().machines().get(node);
      topologies.putIfAbsent(whole.files().get(node), one.topology());
    }
    return topologies;
  }

  private static int worldSize(List<RankTrace> traces, int otherwise) {
    return traces.stream()
        .flatMapToInt(trace -> trace.worldSize().stream())
        .max()
        .orElse(otherwise);
  }

  private Workload workload(List<RankTrace> traces, Job on, CallTimeline timeline) {
    int ranks = worldSize(traces, on.nRanks());
    TracedPlace place = TracedPlace.of(traces, on);
    place
        .fault(ranks)
        .ifPresent(
            fault -> {
              throw unusable(files.get(0), fault);
            });
    Workload joined = CallJoiner.join(traces, ranks, timeline);
    Workload workload = place.note().map(joined::with).orElse(joined);
    for (CallSite site : workload.sites()) {
      site.kind().group().ranks().stream()
          .filter(rank -> rank >= on.nRanks())
          .findFirst()
          .ifPresent(
              rank -> {
                throw unusable(
                    files.get(0),
                    "group %s has rank %d, --machine with --nodes has %d: expected as many nodes as the job"
                        .formatted(site.kind().group().title(), rank, on.nRanks()));
              });
    }
    if (workload.sites().isEmpty()) {
      throw new NothingFoundException(
          files.get(0) + ": no call of NCCL in the traces, expected kernels of NCCL");
    }
    return workload;
  }

  /** The communicators of the job; those of GPUs at the same places are evaluated once. */
  private Function<ProcessGroup, JobResult> groups(
      Job on, NcclProfile profile, NcclSettings settings) {
    return ofGroups(on, profile, settings, part -> evaluate(part, profile));
  }

  private JobAdvice advice(
      WorkloadComparison comparison, Job on, NcclProfile profile, NcclSettings settings) {
    try (Progress.Task task = begin("advice", 1)) {
      task.next();
      Function<ProcessGroup, Adviser> advisers =
          ofGroups(
              on,
              profile,
              settings,
              part -> new Adviser(evaluator(), request(part, profile), advise.may()));
      return new WorkloadAdviser(comparison, advisers, advise.may()).advise();
    }
  }

  /** Something of each communicator of the job; those of GPUs at the same places have the same. */
  private <T> Function<ProcessGroup, T> ofGroups(
      Job on, NcclProfile profile, NcclSettings settings, Function<Job, T> making) {
    Map<GroupShape, T> known = new HashMap<>();
    List<Integer> all = IntStream.range(0, on.nRanks()).boxed().toList();
    RankLayout layout =
        change.isScaled() ? job.layout(machines(), on.machines().size()) : job.layout(machines());
    return group -> {
      GroupShape shape = GroupShape.of(on, group.ranks());
      T result = known.get(shape);
      if (result == null) {
        Job part =
            group.ranks().equals(all)
                ? on
                : new JobInput(input(), settings, profile, streams())
                    .resolve(layout.ofRanks(group.ranks()))
                    .whole();
        result = making.apply(part);
        known.put(shape, result);
      }
      return result;
    };
  }

  private JobResult evaluate(Job part, NcclProfile profile) {
    return evaluator().evaluate(request(part, profile));
  }

  private JobRequest request(Job part, NcclProfile profile) {
    return calibration.applyTo(JobRequest.of(part, profile, List.of()), inputs());
  }

  /** The same calls after edits, by the rules of another release, or on more nodes. */
  private WorkloadChange changed(WorkloadComparison before, NcclSettings settings) {
    EditApplier applier =
        new EditApplier(
            input()::document, document -> input().edited(document.root(), version.profile()));
    EditedMachine whole = EditedMachine.of(input().document(file()), settings);
    EditedMachine after = change.accepted(() -> applier.apply(whole, change.edits()));
    NcclProfile profile = after.nccl().orElse(version.rules()).profile();
    Machine edited = new Machine(input().topology(after.seen(), profile), after.settings());
    int nodes = job.counts().get(0);
    Job on = Job.ofEqual(edited, nodes);
    if (on.nRanks() < before.workload().worldSize()) {
      throw new SettingException(
          "--whatif %s: leaves %d ranks of the %d of the job"
              .formatted(change.title(), on.nRanks(), before.workload().worldSize()));
    }
    ParallelScale scale = change.scale(before.workload(), on.nRanks());
    GroupEvaluator groups =
        new GroupEvaluator(
            on,
            devices -> input().topology(after.seen().root(), GpuSelection.of(devices), profile),
            part -> evaluate(part, profile));
    return new WorkloadChange(
        change.title(nodes, version.rules()),
        before,
        WorkloadComparison.of(before.workload(), group -> groups.of(scale.ranks(group))));
  }
}
