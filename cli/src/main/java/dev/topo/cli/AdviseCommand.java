package dev.topo.cli;

import dev.topo.cli.option.BriefOption;
import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.Format;
import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.option.OptionValue;
import dev.topo.cli.terminal.Progress;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.verify.Trial;
import dev.topo.hw.verify.TrialRunner;
import dev.topo.hw.verify.TriedCall;
import dev.topo.hw.verify.WorkerTrialRunner;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.CallSizes;
import dev.topo.model.operation.PeerCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.Adviser;
import dev.topo.simulator.advice.BetterGraph;
import dev.topo.simulator.advice.GraphAnswer;
import dev.topo.simulator.advice.Permission;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.visualizer.study.AdviceData;
import dev.topo.visualizer.study.AdviceHeadline;
import dev.topo.visualizer.study.AdviceText;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo advise}: what would make a job's calls faster, and how to set it. */
@Command(
    name = "advise",
    description =
        "What makes calls faster than NCCL's defaults (settings, tuner file, graph file, buffers): gain, cost, how to set it and"
            + " how to check it.",
    footer = {
      "",
      "Advice has a gain larger than its range. Times are those of topo predict.",
      "Exit status: 1 nothing is advised; with --try 4 without a GPU or NCCL.",
      "",
      "Example: topo advise system.xml --may settings,tuner,code",
      "Example: topo advise topologies/dgx-h100.xml --collective all_gather --sizes 1M:1G:4",
      "Example: topo advise system.xml --may tuner -o tuner.csv",
      "Example: topo advise system.xml --may settings,tuner,code --sizes 1M:1G:4 --try"
    })
final class AdviseCommand extends JobCommand {
  private static final List<Long> SIZES = CallSizes.parse("64K:1G:4");

  /** Sends and receives beside the collectives where the user names no operation. */
  private static final List<PeerOperation> PEERS =
      List.of(PeerOperation.ALLTOALL, PeerOperation.SENDRECV);

  /** The formats of advice. */
  private enum AdviseFormat implements Format {
    text,
    json,
    csv,
    /** Rules for NCCL's tuner plugin. */
    tuner,
    /** A file for NCCL_GRAPH_FILE. */
    xml;

    @Override
    public String extension() {
      return this == tuner ? ".csv" : Format.super.extension();
    }
  }

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}); tuner is the file of"
              + " NCCL's tuner plugin for all calls together (that of .csv with --may tuner), xml that of NCCL_GRAPH_FILE.")
  private AdviseFormat format = AdviseFormat.text;

  @Option(
      names = "--may",
      paramLabel = "WHAT",
      split = ",",
      description =
          "What may be changed: settings (NCCL_*), tuner (algorithm and protocol by the tuner plugin), graph"
              + " (NCCL_GRAPH_FILE), code (registered and symmetric buffers) (default: settings,tuner).")
  private List<String> may = new ArrayList<>(List.of("settings", "tuner"));

  @Option(
      names = "--try",
      description =
          "Also measure the advice with NCCL on the GPUs of this machine, and settings whose effect is not predicted, and"
              + " compare the gains.")
  private boolean isTried;

  @Mixin private BriefOption brief = new BriefOption();
  @Mixin private LaunchOptions launch = new LaunchOptions();
  @Mixin private CallOptions calls = new CallOptions();
  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();

  /** A file of rows is the tuner plugin's where the user lets nothing else be changed. */
  @Override
  AdviseFormat format() {
    boolean isNamed = spec().commandLine().getParseResult().hasMatchedOption("--format");
    boolean isOfTuner = permissions().equals(EnumSet.of(Permission.TUNER));
    return format == AdviseFormat.csv && !isNamed && isOfTuner ? AdviseFormat.tuner : format;
  }

  @Override
  NcclSettings marking(NcclSettings settings) {
    return evaluation.withoutModelled(settings);
  }

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    Set<Permission> permissions = permissions();
    List<JobPart> parts = communicating(parts(topologyFiles, settings), "");
    List<AdviceReport> reports = new ArrayList<>();
    try (Progress.Task task = begin("advice", parts.size())) {
      for (JobPart part : format() == AdviseFormat.xml ? List.of(first(parts)) : parts) {
        task.next();
        reports.add(report(part, permissions));
      }
    }
    if (reports.stream().noneMatch(AdviceReport::isAdvised)) {
      checkFailed();
    }
    if (format() == AdviseFormat.tuner) {
      return tuner(reports);
    }
    return ofEach(
        parts.subList(0, reports.size()), part -> answer(reports.get(parts.indexOf(part))));
  }

  private AdviceReport report(JobPart part, Set<Permission> permissions) {
    JobResult now =
        evaluation.known(
            evaluator()
                .evaluate(
                    evaluation.request(
                        version().profile(),
                        part,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        inputs(),
                        streams())));
    return AdviceReport.of(
        part.title(), new Adviser(evaluator(), now.request(), permissions), asked());
  }

  private Answer answer(AdviceReport report) {
    return switch (format()) {
      case text ->
          AdviceText.of(
                  report, tried(report), input().isVerbose(), context().invocation().commandLine())
              .saying(AdviceHeadline.of(report));
      case json -> AdviceData.json(report, tried(report)).saying(AdviceHeadline.of(report));
      case csv -> AdviceData.csv(report);
      default -> graph(report);
    };
  }

  private List<TriedCall> tried(AdviceReport report) {
    if (!isTried) {
      return List.of();
    }
    Map<String, String> variables = new HashMap<>(environment());
    variables.putAll(report.ownSettings().values());
    ProcessPlacement placement = launch.placement(variables, Optional.empty());
    if (placement.size() > 1) {
      throw new SettingException("--try: expected one process, which starts others itself");
    }
    TrialRunner runner =
        new WorkerTrialRunner(
            variables, own -> launch.command(own, inputs()), placement, report.nRanks());
    try (Progress.Task task = LaunchOptions.begin(streams(), placement)) {
      return new Trial(report.advice().calls(), runner).run(step -> task.detail(() -> step));
    }
  }

  private static Answer graph(AdviceReport report) {
    GraphAnswer answer =
        report
            .advice()
            .graph()
            .orElseThrow(() -> new SettingException("--format xml: expected graph among --may"));
    if (answer instanceof GraphAnswer.None none) {
      throw new NothingFoundException(none.reason());
    }
    return Answer.of(((BetterGraph) answer).file());
  }

  /** The rules for all communicators: a rule names the numbers of nodes and ranks. */
  private static Answer tuner(List<AdviceReport> reports) {
    String rules = reports.stream().map(AdviceReport::tunerFile).collect(Collectors.joining());
    if (rules.isEmpty()) {
      throw new NothingFoundException(
          "no algorithm or protocol is known to be faster than NCCL's choice: there is nothing for a tuner plugin"
              + reports.stream()
                  .flatMap(report -> AdviceHeadline.ofTuner(report).stream())
                  .findFirst()
                  .map(
                      first ->
                          "; worth measuring first: %s; without -o and --format the command that measures it is shown"
                              .formatted(first))
                  .orElse(""));
    }
    return Answer.of(rules);
  }

  private Set<Permission> permissions() {
    Set<Permission> permissions = EnumSet.noneOf(Permission.class);
    for (String one : may) {
      permissions.add(
          OptionValue.ofLabel("--may", one, Permission.values(), Permission::label, ""));
    }
    return permissions;
  }

  private List<Call> asked() {
    List<Long> sizes = calls.hasSizes() ? calls.sizes() : SIZES;
    List<Call> asked = new ArrayList<>(calls.all(sizes));
    if (!calls.isNamed() && PeerPlanner.covers(version().profile())) {
      for (PeerOperation usual : PEERS) {
        sizes.forEach(size -> asked.add(new PeerCall(usual, size)));
      }
    }
    return asked;
  }
}
