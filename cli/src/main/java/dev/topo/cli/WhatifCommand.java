package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.edit.EditSet;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.job.SettingException;
import dev.topo.simulator.variant.EditedJob;
import dev.topo.simulator.variant.SplitReport;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.study.WhatIfOutput;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo whatif}: compares a machine or a setting before and after edits. */
@Command(
    name = "whatif",
    description =
        "Edits a machine or the settings and shows what that changes: paths, graphs, choices,"
            + " busbw.")
final class WhatifCommand extends Subcommand {
  @Mixin private JobQuestion question = JobQuestion.withoutTimes(this);
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TextOrJson format = TextOrJson.text;

  @Mixin private BriefOption brief = new BriefOption();
  @Mixin private VariantOptions variants = new VariantOptions();
  @Mixin private PlacementOptions placements = new PlacementOptions();
  @Mixin private RankedCalls calls = new RankedCalls();
  @Mixin private OutputOptions output = new OutputOptions();

  private int status = ExitStatus.DONE;

  @Override
  public Integer call() {
    Path machine = variants.machine();
    refuseIf(
        question.job().hasSplit() && placements.isWanted(),
        "--all-placements: expected a whole job, without --split");
    placements.check();
    List<EditSet> requested = variants.variants(inputs());
    if (requested.isEmpty() && !placements.isWanted()) {
      throw missingEdit();
    }
    WhatifJob stated = new WhatifJob(question, calibration, variants, placements);
    EditedMachine asRead =
        EditedMachine.of(stated.document(machine), question.settings(question.rules()));
    variants.note(requested, this::message);
    EditedMachine before = stated.edited(asRead, variants.given());
    CaveatCollector caveats = question.caveats(question.version()::rules);
    EditedJob job = stated.job(caveats);
    OutputPlan plan = output.plan(List.of(machine), format, context());
    Answer answer =
        placements.isWanted()
            ? new PlacedJob(stated, calls).of(requested, before, job, format.name())
            : comparison(requested, before, stated, job, caveats);
    plan.write(machine, rendered(answer, envelope(question.rules(), caveats.list()), format));
    return status;
  }

  /**
   * The error for a missing edit. If the user gives settings or a release instead, the message
   * contains the edits that compare with and without them.
   */
  private SettingException missingEdit() {
    List<String> edits = new ArrayList<>();
    question
        .settings(question.rules())
        .values()
        .forEach((name, value) -> edits.add("'env %s=%s'".formatted(name, value)));
    question
        .version()
        .named()
        .ifPresent(rules -> edits.add("'nccl %s'".formatted(rules.release())));
    return new SettingException(
        edits.isEmpty()
            ? "expected an EDIT, as in 'remove net:mlx5_3', or --all-placements"
            : "--env and --nccl apply before and after, and there is no EDIT: replace them by %s to compare"
                .formatted(String.join(" ", edits)));
  }

  private Answer comparison(
      List<EditSet> requested,
      EditedMachine before,
      WhatifJob stated,
      EditedJob editedJob,
      CaveatCollector caveats) {
    SplitReport report =
        new SplitReport(
            stated.name(),
            editedJob.nodes(),
            editedJob.communicators("as it is", before),
            calls.list(),
            calls.main(),
            calls.ranking());
    List<SplitReport.Variant> outcomes = new ArrayList<>();
    try (Task task = begin("variant", requested.size())) {
      for (EditSet variant : requested) {
        task.next();
        EditedMachine after = stated.edited(before, variant.edits());
        SettingOptions.withoutInfluence(after.settings(), streams());
        outcomes.add(editedJob.variant(variant, after));
      }
    }
    Map<String, WhatIfReport> reports = report.of(outcomes);
    reports.values().forEach(whatIfReport -> caveats.add(whatIfReport.caveats()));
    status = ExitStatus.of(!reports.values().stream().allMatch(WhatIfReport::isEmpty));
    return WhatIfOutput.of(reports, format.name(), question.isVerbose());
  }
}
