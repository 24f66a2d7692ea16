package dev.topo.cli;

import dev.topo.cli.MachineCommand.TextOrJson;
import dev.topo.cli.option.BriefOption;
import dev.topo.cli.option.CalibrationOptions;
import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.JobOptions;
import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditSet;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.NicPlacement;
import dev.topo.inspect.edit.NicPlacements;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.Topology;
import dev.topo.model.io.OrderedWork;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.tuning.EnablingRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.variant.EditedJob;
import dev.topo.simulator.variant.PlacementReport;
import dev.topo.simulator.variant.Score;
import dev.topo.simulator.variant.Score.RankedPlacement;
import dev.topo.simulator.variant.SplitReport;
import dev.topo.simulator.variant.UpgradeNotes;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.study.PlacementsHeadline;
import dev.topo.visualizer.study.PlacementsJson;
import dev.topo.visualizer.study.PlacementsText;
import dev.topo.visualizer.study.WhatIfHeadline;
import dev.topo.visualizer.study.WhatIfJson;
import dev.topo.visualizer.study.WhatIfText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords;
import dev.topo.visualizer.view.SplitAnswer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo whatif}: a machine or a setting before and after some edits. */
@Command(
    name = "whatif",
    description =
        "Edits a machine or the settings and shows what that changes: paths, graphs, choices, busbw.",
    footer = {
      "",
      "Example: topo whatif topologies/dgx-h100.xml 'remove net:mlx5_3' --nodes 4",
      "Example: topo whatif topologies/dgx-h100.xml 'move net:mlx5_3 to switch:0000:18:00.0' 'net:mlx5_0.speed=200000' --nodes 2",
      "Example: topo whatif topologies/dgx-a100.xml --variant 'cross: env NCCL_CROSS_NIC=1' --variant 'Ring: env NCCL_ALGO=Ring' --nodes 4",
      "Example: topo whatif topologies/dgx-h100.xml 'nccl 2.27.5' --nodes 4",
      "Example: topo whatif topologies/gb200-tray.xml --nodes 18 --nvlink-domain 18 'remove gpu:3-1'",
      "Example: topo whatif topologies/dgx-h100.xml 'remove net:mlx5_3' --nodes 4 --split \"MOD 8\"",
      "Example: topo whatif topologies/dgx-h100.xml --all-placements"
    })
final class WhatifCommand extends Subcommand {
  /** Sizes that show latency, the middle and bandwidth. */
  private static final List<Long> USUAL_SIZES = List.of(1L << 16, 1L << 20, 1L << 26, 1L << 30);

  /** Nodes of a job about placements, where the user names none: without a network NICs idle. */
  private static final int PLACEMENT_NODES = 2;

  @Option(
      names = "--ranked-by",
      paramLabel = "MEASURE",
      description =
          "${COMPLETION-CANDIDATES}: total bandwidth of the rings, busbw of the largest size of the first collective, or the"
              + " number of channels (default: ${DEFAULT-VALUE}).")
  private Measure rankedBy = Measure.busbw;

  @Option(
      names = "--edited-nodes",
      paramLabel = "N",
      description = "Edit only the first N machines of the job (default: all that are FILE).")
  private @Nullable Integer editedNodes;

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TextOrJson format = TextOrJson.text;

  @Mixin private BriefOption brief = new BriefOption();
  @Mixin private VariantOptions variants = new VariantOptions();
  @Mixin private PlacementOptions placements = new PlacementOptions();
  @Mixin private JobOptions job = new JobOptions();
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();
  @Mixin private CallOptions calls = new CallOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  private enum Measure {
    bandwidth(Score.Ranking.BANDWIDTH),
    busbw(Score.Ranking.BUSBW),
    channels(Score.Ranking.CHANNELS);

    private final Score.Ranking ranking;

    Measure(Score.Ranking ranking) {
      this.ranking = ranking;
    }
  }

  @Override
  public Integer call() {
    Path machine = variants.machine();
    if (job.hasSplit() && placements.isWanted()) {
      throw new SettingException("--all-placements: expected a whole job, without --split");
    }
    placements.check();
    List<EditSet> requested = variants.variants(inputs());
    if (requested.isEmpty() && !placements.isWanted()) {
      throw new SettingException(
          "expected an EDIT, as in 'remove net:mlx5_3', or --all-placements");
    }
    EditedMachine asRead =
        EditedMachine.of(
            document(machine), setting.forJob(environment(), version.rules(), streams()));
    noteSettings(requested);
    noteReleases(requested);
    EditedMachine before = edited(asRead, variants.given());
    CaveatCollector caveats = machines().caveats(version::rules);
    job.state(caveats);
    EditedJob editedJob =
        new EditedJob(
            machine,
            files(machine),
            Optional.ofNullable(editedNodes),
            new EditedJob.Sources(
                this::topology,
                this::document,
                (document, profile) -> machines().topology(document, profile),
                (system, gpus, profile) -> machines().topology(system, gpus, profile),
                (request, whole, places) -> calibration.applyTo(request, whole, places, inputs()),
                evaluator()),
            version.rules(),
            caveats,
            note -> message(OptionWords.of(note)));
    OutputPlan plan = output.plan(List.of(machine), format.extension(), true, inputs(), streams());
    Answer answer =
        placements.isWanted()
            ? placements(requested, before, editedJob)
            : comparison(requested, before, editedJob);
    plan.write(machine, rendered(answer, envelope(version.rules(), caveats.list()), format.name()));
    return ExitStatus.DONE;
  }

  private InputMachines machines() {
    return input.machines(inputs(), streams());
  }

  /** What edits are about: a host, or a whole NVLink domain of its like. */
  private XmlDocument document(Path file) {
    return machines().document(file, job.domains().single());
  }

  private Topology topology(Path file, NcclProfile profile) {
    return job.domains().single() == 1
        ? machines().topology(file, profile)
        : machines().topology(document(file), profile);
  }

  /** Ranks agree on settings, so that these are not tried on some of the nodes. */
  private void noteSettings(List<EditSet> requested) {
    boolean setsSome =
        hasEdit(
            requested,
            edit -> edit instanceof Edit.SetEnv env && !env.name().equals(EditApplier.TOPO_FILE));
    if (editedNodes != null && setsSome) {
      message("note: --edited-nodes is for the machine: settings apply to all nodes");
    }
  }

  /** What a comparison with another release does not show. */
  private void noteReleases(List<EditSet> requested) {
    if (hasEdit(requested, Edit.UseNccl.class::isInstance)) {
      UpgradeNotes.ALL.forEach(note -> message("note: " + note));
    }
  }

  private static boolean hasEdit(List<EditSet> requested, Predicate<Edit> wanted) {
    return requested.stream().flatMap(variant -> variant.edits().stream()).anyMatch(wanted);
  }

  private List<Path> files(Path machine) {
    if (job.hasNodeList()) {
      return job.editable(List.of());
    }
    return placements.isWanted() && !job.isGiven()
        ? Collections.nCopies(PLACEMENT_NODES, machine)
        : job.editable(List.of(machine));
  }

  private EditApplier applier() {
    return new EditApplier(
        this::document, machine -> machines().edited(machine.root(), version.profile()));
  }

  /** A machine after edits; a setting that NCCL cannot use is reported with its edit. */
  private EditedMachine edited(EditedMachine before, List<Edit> edits) {
    for (Edit edit : edits) {
      if (edit instanceof Edit.SetEnv env) {
        try {
          EnablingRules.check(
              version.profile(), NcclSettings.parse(List.of(env.name() + "=" + env.value())));
        } catch (SettingException e) {
          throw variants.wrong(env.location(), e);
        }
      }
    }
    return applier().apply(before, edits);
  }

  private Answer comparison(List<EditSet> requested, EditedMachine before, EditedJob editedJob) {
    SplitReport report =
        new SplitReport(
            job.domains().nameOf(files(variants.machine())),
            editedJob.nodes(),
            job.hasSplit(),
            editedJob.communicators("as it is", before, job.splitRule()),
            callList(),
            mainCall(),
            rankedBy.ranking);
    List<SplitReport.Variant> outcomes = new ArrayList<>();
    try (Progress.Task task = begin("variant", requested.size())) {
      for (EditSet variant : requested) {
        task.next();
        EditedMachine after = edited(before, variant.edits());
        SettingOptions.withoutInfluence(after.settings(), streams());
        outcomes.add(outcome(variant, after, editedJob));
      }
    }
    return SplitAnswer.of(
        report.of(outcomes).entrySet().stream()
            .map(one -> new SplitAnswer.Part(one.getKey(), answer(one.getValue())))
            .toList(),
        format.name(),
        "\n");
  }

  private Answer answer(WhatIfReport report) {
    Answer answer =
        format == TextOrJson.text
            ? WhatIfText.of(report, input.isVerbose())
            : WhatIfJson.of(report);
    return answer.saying(WhatIfHeadline.of(report));
  }

  private SplitReport.Variant outcome(EditSet variant, EditedMachine after, EditedJob editedJob) {
    try {
      return new SplitReport.Variant(
          variant,
          editedJob.communicators(variant.name(), after, job.splitRule()),
          Optional.empty());
    } catch (UnusableTopologyException e) {
      return new SplitReport.Variant(variant, List.of(), Optional.of(e));
    }
  }

  private Answer placements(List<EditSet> requested, EditedMachine before, EditedJob editedJob) {
    if (requested.size() > 1) {
      throw new SettingException("--all-placements: expected EDITs or one variant, not several");
    }
    if (NvlinkDomain.hasSeveralHosts(before.machine().root())) {
      throw new SettingException(
          "--all-placements: expected a machine of one host, not an NVLink domain");
    }
    EditedMachine start = requested.isEmpty() ? before : edited(before, requested.get(0).edits());
    NicPlacements cards = new NicPlacements(start.machine(), placements.perSwitch());
    PlacementSelection selection = cards.nearest(placements.max());
    WhatIfOutcome unmoved = editedJob.outcome("", start);
    List<RankedPlacement> tried = new ArrayList<>();
    try (Progress.Task task = begin("placement", selection.placements().size())) {
      if (!selection.isAll()) {
        task.detail(() -> "the nearest of " + PlacementsText.different(selection));
      }
      Call call = mainCall();
      JobEvaluator unwatched = evaluator().with(GraphSearch::findAll);
      OrderedWork.run(
          selection.placements().stream()
              .map(
                  placement ->
                      new Trial(
                          placement,
                          editedJob.prepared("", applier().apply(start, placement.moves()))))
              .iterator(),
          trial -> trial.ranked(unwatched, call),
          ranked -> {
            tried.add(ranked);
            task.next();
          });
    }
    PlacementReport report =
        new PlacementReport(
            job.domains().nameOf(files(variants.machine())),
            requested.isEmpty() ? "" : requested.get(0).text(),
            cards,
            selection,
            unmoved,
            tried,
            mainCall(),
            rankedBy.ranking);
    Answer answer =
        format == TextOrJson.text
            ? PlacementsText.of(report, placements.top(), input.isVerbose())
            : PlacementsJson.of(report);
    return answer.saying(PlacementsHeadline.of(report));
  }

  /** A placement to try, with the job that has it. */
  private record Trial(NicPlacement placement, EditedJob.Prepared job) {
    RankedPlacement ranked(JobEvaluator evaluator, Call call) {
      return RankedPlacement.of(placement, job.evaluated(evaluator), call);
    }
  }

  private List<Call> callList() {
    return calls.all(calls.hasSizes() ? calls.sizes() : USUAL_SIZES);
  }

  /** The call by which outcomes are ranked: the largest of the first operation. */
  private Call mainCall() {
    List<Call> list = callList();
    return list.stream()
        .filter(call -> call.operation() == list.get(0).operation())
        .max(Comparator.comparingLong(Call::sizeBytes))
        .orElseThrow();
  }
}
