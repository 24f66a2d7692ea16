package dev.topo.cli;

import dev.topo.cli.option.BriefOption;
import dev.topo.cli.option.CalibrationOptions;
import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.Format;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.JobInput;
import dev.topo.cli.option.JobOptions;
import dev.topo.cli.option.OutputFile;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.difference.Fleet;
import dev.topo.inspect.difference.FleetReader;
import dev.topo.model.Topology;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.SplitPair;
import dev.topo.simulator.variant.Upgrade;
import dev.topo.simulator.variant.Upgrade.VersionedJob;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.report.UpgradePage;
import dev.topo.visualizer.study.UpgradeHeadline;
import dev.topo.visualizer.study.UpgradeJson;
import dev.topo.visualizer.study.UpgradeText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.SplitAnswer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo upgrade}: what changes with another release of NCCL. */
@Command(
    name = "upgrade",
    description = {
      "What changes with another release of NCCL: channels, graphs, choices and predicted times of a job.",
      "With a folder or several files, each node of a fleet, in a job of nodes equal to it: equal nodes",
      "are evaluated once."
    },
    footer = {
      "",
      "Exit status 1 if something changes or a release has no rules. Changes of the speed of kernels are not modelled.",
      "",
      "Example: topo upgrade topologies/dgx-h100.xml --nodes 4 --from 2.27.5 --to 2.28.9",
      "Example: topo upgrade --node a.xml*2 --node b.xml*2 --from 2.21.5 --to 2.28.9 --collective all_reduce",
      "Example: topo upgrade dumps/ --from 2.27.5 --to 2.28.9 --format html -o upgrade.html"
    })
final class UpgradeCommand extends Subcommand {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "A topology file; or several, or folders, which are searched for *.xml and *.xml.gz.")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "VERSION",
      description = "NCCL release before the upgrade, as in 2.27.5.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "VERSION",
      description = "NCCL release after it; --nccl list shows all.")
  private @Nullable String to;

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private UpgradeFormat format = UpgradeFormat.text;

  @Mixin private OutputFile output = new OutputFile();
  @Mixin private BriefOption brief = new BriefOption();
  @Mixin private JobOptions job = new JobOptions();
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();
  @Mixin private CallOptions calls = new CallOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();

  private enum UpgradeFormat implements Format {
    text,
    json,
    html
  }

  @Override
  public Integer call() {
    if (paths.isEmpty() && !job.hasNodeList()) {
      throw new SettingException("expected a topology FILE (--help shows an example)");
    }
    boolean isFleet = paths.size() > 1 || paths.stream().anyMatch(Files::isDirectory);
    if (job.hasSplit() && isFleet) {
      throw new SettingException("--split: expected one job, not a fleet");
    }
    if (!isFleet) {
      job.hosts(paths); // reports what is missing before anything else
    }
    List<ReleaseRules> releases = releases();
    ReleaseRules old = releases.get(0);
    ReleaseRules now = releases.get(1);
    Upgrade upgrade = new Upgrade(old, now, evaluator());
    NcclSettings settings = setting.forJob(environment(), now, streams());
    SettingOptions.absent(settings, old, streams());
    OutputPlan plan =
        output.plan(inputs(), streams()); // fails before the work if the file cannot be written
    return isFleet ? fleet(upgrade, settings, plan) : single(upgrade, settings, plan);
  }

  /** The rules before and after. */
  private List<ReleaseRules> releases() {
    List<ReleaseRules> both = version.two();
    if (from == null && to == null && !both.isEmpty()) {
      return both;
    }
    if (version.named().isPresent()) {
      throw new SettingException(
          "--nccl: expected both releases, as in --nccl 2.27.5,2.28.9, in place of --from and --to");
    }
    if (from == null || to == null) {
      throw new SettingException(
          "expected both releases, as in --from 2.27.5 --to 2.28.9 (--nccl list shows all)");
    }
    return List.of(VersionOptions.parse("--from ", from), VersionOptions.parse("--to ", to));
  }

  private int single(Upgrade upgrade, NcclSettings settings, OutputPlan plan) {
    Map<String, UpgradeResult> byLabel = results(upgrade, settings);
    List<UpgradeResult> results = List.copyOf(byLabel.values());
    int nodes = results.stream().mapToInt(UpgradeResult::nodes).max().orElseThrow();
    Envelope envelope = envelope(upgrade, settings, List.of(paths), results, nodes);
    plan.write(
        job.hosts(paths).get(0),
        rendered(
            switch (format) {
              case text ->
                  Answer.join(
                      results.stream()
                          .map(
                              one ->
                                  UpgradeText.of(one, input.isVerbose())
                                      .saying(UpgradeHeadline.of(one)))
                          .toList(),
                      "\n");
              case json -> json(byLabel);
              case html -> Answer.of(UpgradePage.of(results, envelope));
            },
            envelope,
            format.name()));
    return results.stream().allMatch(UpgradeResult::isEqual) ? ExitStatus.DONE : ExitStatus.NO;
  }

  private static Answer json(Map<String, UpgradeResult> results) {
    return SplitAnswer.of(
        results.entrySet().stream()
            .map(
                one ->
                    new SplitAnswer.Part(
                        one.getKey(),
                        UpgradeJson.of(one.getValue()).saying(UpgradeHeadline.of(one.getValue()))))
            .toList(),
        "json",
        "");
  }

  /** What changes for the job, or for each kind of communicator of a split, by its label. */
  private Map<String, UpgradeResult> results(Upgrade upgrade, NcclSettings settings) {
    if (!job.hasSplit()) {
      return Map.of("", upgrade.of(job.layout(paths).name(), job(paths, settings)));
    }
    List<Call> list = calls.all(calls.sizes());
    List<JobPart> now = parts(paths, settings, upgrade.to().profile());
    Map<String, UpgradeResult> results = new LinkedHashMap<>();
    try {
      for (SplitPair pair : SplitPair.of(parts(paths, settings, upgrade.from().profile()), now)) {
        results.put(
            pair.after().label(),
            upgrade.of(
                pair.after().title(),
                profile -> request(pair.before(), profile, list),
                profile -> request(pair.after(), profile, list)));
      }
    } catch (TopologyFormatException e) {
      // By the rules of the former release the files cannot be used: that is what changes.
      for (JobPart part : now) {
        results.put(
            part.label(),
            upgrade.of(
                part.title(),
                profile -> {
                  throw e;
                },
                profile -> request(part, profile, list)));
      }
    }
    return results;
  }

  private int fleet(Upgrade upgrade, NcclSettings settings, OutputPlan plan) {
    if (job.hasNodeList()) {
      throw new SettingException("--node: expected no FILE, or one folder or several FILE alone");
    }
    List<Path> files = FleetReader.files(paths, inputs());
    Fleet fleet;
    try (Progress.Task task = begin("file", files.size())) {
      fleet = FleetReader.read(files, inputs(), one -> task.next());
    }
    FleetUpgrade result =
        upgrade.ofFleet(
            paths.size() == 1 ? Optional.of(paths.get(0)) : Optional.empty(),
            fleet,
            one -> jobOfNode(one, settings),
            this::begin);
    if (result.groups().isEmpty()) {
      result.unreadable().forEach(one -> message(one.message()));
      return files.isEmpty() ? noFile() : ExitStatus.BAD_INPUT;
    }
    Envelope envelope =
        envelope(
            upgrade,
            settings,
            result.groups().stream().map(group -> List.of(group.files().get(0))).toList(),
            result.groups().stream().map(FleetUpgrade.Group::result).toList(),
            result.groups().get(0).result().nodes());
    plan.write(
        paths.get(0),
        rendered(
            switch (format) {
              case text -> UpgradeText.of(result).saying(UpgradeHeadline.of(result));
              case json -> UpgradeJson.of(result).saying(UpgradeHeadline.of(result));
              case html -> Answer.of(UpgradePage.of(result, envelope));
            },
            envelope,
            format.name()));
    return result.nChanged() + result.nUnknown() == 0 && result.unreadable().isEmpty()
        ? ExitStatus.DONE
        : ExitStatus.NO;
  }

  private InputMachines machines() {
    return input.machines(inputs(), streams());
  }

  private int noFile() {
    throw unusable(paths.get(0), "has no *.xml file, expected topology files");
  }

  /** What is not modelled for the machines that NCCL starts on, by the files of some jobs. */
  private Envelope envelope(
      Upgrade upgrade,
      NcclSettings settings,
      List<List<Path>> jobs,
      List<UpgradeResult> results,
      int nodes) {
    CaveatCollector caveats = machines().caveats(upgrade::to);
    job.state(caveats);
    results.forEach(one -> caveats.add(CaveatFinder.withoutRules(one.withoutRules())));
    UpgradeResult result = results.get(0);
    caveats.add(CaveatFinder.ofRelease(upgrade.from()));
    Map<Path, Topology> topologies = new LinkedHashMap<>();
    if (result.after().failure().isEmpty()) {
      for (List<Path> files : jobs) {
        for (JobPart part : parts(files, settings, upgrade.to().profile())) {
          for (int m = 0; m < part.files().size(); m++) {
            topologies.putIfAbsent(part.files().get(m), part.job().machines().get(m).topology());
          }
        }
      }
    }
    caveats.addJob(topologies, nodes, false, calibration.withoutModelled(settings));
    caveats.add(
        CaveatFinder.ofDomains(
            topologies.entrySet().stream()
                .map(machine -> caveats.subject(machine.getKey(), machine.getValue()))
                .toList(),
            upgrade.from()));
    return envelope(upgrade.to(), caveats.list());
  }

  private List<JobPart> parts(List<Path> files, NcclSettings settings, NcclProfile profile) {
    return job.parts(files, new JobInput(machines(), settings, profile, streams()));
  }

  private VersionedJob job(List<Path> files, NcclSettings settings) {
    List<Call> list = calls.all(calls.sizes());
    return profile -> request(parts(files, settings, profile).get(0), profile, list);
  }

  private JobRequest request(JobPart part, NcclProfile profile, List<Call> list) {
    return calibration.applyTo(
        JobRequest.of(part.job(), profile, list), part.whole(), part.places().get(0), inputs());
  }

  /** A job of nodes equal to one of a fleet: without --nodes two of one that has network ports. */
  private VersionedJob jobOfNode(Path node, NcclSettings settings) {
    if (job.isGiven()) {
      return job(List.of(node), settings);
    }
    List<Call> list = calls.all(calls.sizes());
    int nodes = FleetReader.hasPorts(machines().document(node).root()) ? 2 : 1;
    return profile ->
        calibration.applyTo(
            JobRequest.of(
                Job.ofEqual(new Machine(machines().topology(node, profile), settings), nodes),
                profile,
                list),
            inputs());
  }
}
