package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.OutputFile;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.difference.FleetReader;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.variant.DiffJob;
import dev.topo.simulator.variant.DiffResult;
import dev.topo.simulator.variant.FleetDiff;
import dev.topo.simulator.variant.FleetResult;
import dev.topo.simulator.variant.PairDiff;
import dev.topo.simulator.variant.Upgrade;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.study.DiffOutput;
import dev.topo.visualizer.study.UpgradeOutput;
import dev.topo.visualizer.view.Answer;
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

/** {@code topo diff}: shows what differs between machines, and what that changes in a job. */
@Command(
    name = "diff",
    description = {
      "What differs between two machines, or in a fleet, and what that changes in a job.",
      "Ignores bus ids, host hashes and the order of devices in a file, but not device numbers.",
      "With two files, each difference is applied by itself to the first. With a folder or more"
          + " files,",
      "equal nodes are grouped. The largest group is the reference; a node that differs is"
          + " evaluated in a job",
      "of one such node and reference nodes."
    })
final class DiffCommand extends Subcommand {
  @Mixin private MachineQuestion question = new MachineQuestion(this);
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Two topology files; or more, or folders, which are searched recursively for *.xml and"
              + " *.xml.gz.")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TextOrJson format = TextOrJson.text;

  @Mixin private DiffOptions options = new DiffOptions();
  @Mixin private OutputFile output = new OutputFile();
  @Mixin private BriefOption brief = new BriefOption();

  @Override
  public Integer call() {
    if (!question.version().two().isEmpty()) {
      return releases(question.version().two());
    }
    DiffedJobs jobs =
        new DiffedJobs(question, calibration, options, question.settings(question.rules()));
    DiffJob job = jobs.job(question.profile());
    boolean isPair = paths.size() == 2 && paths.stream().noneMatch(Files::isDirectory);
    List<Path> files = FleetReader.files(paths, inputs(), FleetReader::isXml);
    OutputPlan plan = output.plan(context()); // fails early if the file cannot be written
    return isPair ? pair(jobs, job, plan) : fleet(jobs, job, files, plan);
  }

  /** Compares the first file under one release with the second file under another. */
  private int releases(List<ReleaseRules> rules) {
    refuseIf(
        paths.size() != 2 || paths.stream().anyMatch(Files::isDirectory),
        "--nccl with two versions: expected two files, A and B");
    DiffedJobs jobs =
        new DiffedJobs(question, calibration, options, question.settings(rules.get(1)));
    OutputPlan plan = output.plan(context());
    Upgrade upgrade = new Upgrade(rules.get(0), rules.get(1), evaluator());
    Map<String, UpgradeResult> results = jobs.results(upgrade, paths.get(0), paths.get(1));
    Envelope envelope = envelope(upgrade.to(), DiffedJobs.caveats(upgrade, results));
    UpgradeOutput view = new UpgradeOutput(format.name(), question.isVerbose(), envelope);
    plan.write(paths.get(0), rendered(view.of(results), envelope, format));
    return ExitStatus.of(results.values().stream().allMatch(UpgradeResult::isEqual));
  }

  private int pair(DiffedJobs jobs, DiffJob job, OutputPlan plan) {
    Map<String, DiffResult> results = PairDiff.of(job, this::begin, paths.get(0), paths.get(1));
    DiffResult result = results.values().iterator().next();
    Answer answer = new DiffOutput(format.name(), question.isVerbose()).ofPair(results);
    plan.write(paths.get(0), withCaveats(answer, jobs, paths, result.settings().nodes()));
    return ExitStatus.of(result.differences().isEmpty());
  }

  private Answer withCaveats(Answer answer, DiffedJobs jobs, List<Path> files, int count) {
    CaveatCollector caveats = question.caveats(question.version()::rules);
    options.groups().state(caveats);
    for (Path file : files) {
      caveats.addJob(
          Map.of(file, question.machines().topology(file, question.profile())),
          count,
          false,
          calibration.withoutModelled(jobs.settings()));
    }
    return rendered(answer, envelope(question.rules(), caveats.list()), format);
  }

  private int fleet(DiffedJobs jobs, DiffJob job, List<Path> files, OutputPlan plan) {
    refuseIf(
        files.size() < 2,
        "expected two files, or a folder with several: got "
            + (files.isEmpty() ? "none" : "only " + files.get(0))
            + (paths.size() > 1 && files.size() == 1 ? " again and again" : ""));
    Map<String, FleetResult> results =
        FleetDiff.of(job, this::begin, FleetReader.folder(paths), fleetOf(files));
    FleetResult result = results.values().iterator().next();
    if (result.reference().isEmpty()) {
      result.unreadable().forEach(unreadable -> message(unreadable.message()));
      return ExitStatus.BAD_INPUT;
    }
    Answer answer = new DiffOutput(format.name(), question.isVerbose()).ofFleet(results);
    int count = result.reference().get().settings().nodes();
    plan.write(paths.get(0), withCaveats(answer, jobs, result.kinds(), count));
    return ExitStatus.of(result.isUniform());
  }
}
