package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.OutputFile;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.difference.FleetReader;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.FleetUpgrade.Group;
import dev.topo.simulator.variant.Upgrade;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.study.UpgradeOutput;
import dev.topo.visualizer.view.Envelope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo upgrade}: shows what changes with another release of NCCL. */
@Command(
    name = "upgrade",
    description = {
      "What changes with another release of NCCL: channels, graphs, choices and predicted times of a job.",
      "With a folder or several files, each node of a fleet, in a job of nodes equal to it: equal nodes",
      "are evaluated once."
    })
final class UpgradeCommand extends Subcommand {
  @Mixin private JobQuestion question = JobQuestion.withoutTimes(this);
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "A topology file; or several, or folders, which are searched for *.xml and *.xml.gz.")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private UpgradeFormat format = UpgradeFormat.text;

  @Mixin private ReleaseOptions releases = new ReleaseOptions();
  @Mixin private OutputFile output = new OutputFile();
  @Mixin private BriefOption brief = new BriefOption();
  @Mixin private CallOptions calls = new CallOptions();

  private enum UpgradeFormat implements Format {
    text,
    json,
    html
  }

  @Override
  public Integer call() {
    refuseIf(
        paths.isEmpty() && !question.job().hasNodeList(),
        "expected a topology FILE (--help shows an example)");
    boolean isFleet = paths.size() > 1 || paths.stream().anyMatch(Files::isDirectory);
    refuseIf(question.job().hasSplit() && isFleet, "--split: expected one job, not a fleet");
    if (!isFleet) {
      question.job().hosts(paths); // reports a missing file before any other error
    }
    Upgrade upgrade = releases.upgrade(question.version(), evaluator());
    NcclSettings settings = question.settings(upgrade.to());
    SettingOptions.absent(settings, upgrade.from(), streams());
    OutputPlan plan = output.plan(context()); // fails early if the file cannot be written
    UpgradedJobs jobs = new UpgradedJobs(question, calibration, upgrade, settings, calls);
    return isFleet ? fleet(jobs, plan) : single(jobs, plan);
  }

  private int single(UpgradedJobs jobs, OutputPlan plan) {
    Map<String, UpgradeResult> results = jobs.results(paths);
    List<UpgradeResult> upgradeResults = List.copyOf(results.values());
    int nodes = upgradeResults.stream().mapToInt(UpgradeResult::nodes).max().orElseThrow();
    Envelope envelope = envelope(jobs.rules(), jobs.caveats(List.of(paths), upgradeResults, nodes));
    plan.write(
        question.job().hosts(paths).get(0), rendered(view(envelope).of(results), envelope, format));
    return ExitStatus.of(upgradeResults.stream().allMatch(UpgradeResult::isEqual));
  }

  private UpgradeOutput view(Envelope envelope) {
    return new UpgradeOutput(format.name(), question.isVerbose(), envelope);
  }

  private int fleet(UpgradedJobs jobs, OutputPlan plan) {
    refuseIf(
        question.job().hasNodeList(),
        "--node: expected no FILE, or one folder or several FILE alone");
    List<Path> files = FleetReader.files(paths, inputs(), FleetReader::isXml);
    FleetUpgrade result = jobs.fleet(FleetReader.folder(paths), fleetOf(files));
    if (result.groups().isEmpty()) {
      result.unreadable().forEach(unreadable -> message(unreadable.message()));
      if (files.isEmpty()) {
        throw unusable(paths.get(0), "has no *.xml file, expected topology files");
      }
      return ExitStatus.BAD_INPUT;
    }
    List<Caveat> caveats =
        jobs.caveats(
            result.groups().stream().map(group -> List.of(group.files().get(0))).toList(),
            result.groups().stream().map(Group::result).toList(),
            result.groups().get(0).result().nodes());
    Envelope envelope = envelope(jobs.rules(), caveats);
    plan.write(paths.get(0), rendered(view(envelope).of(result), envelope, format));
    return ExitStatus.of(result.isEqual());
  }
}
