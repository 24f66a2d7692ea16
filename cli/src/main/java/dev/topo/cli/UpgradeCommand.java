package dev.topo.cli;

import dev.topo.cli.option.CalibrationOptions;
import dev.topo.cli.option.Format;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.option.call.CallOptions;
import dev.topo.cli.option.job.InputOptions;
import dev.topo.cli.option.job.JobOptions;
import dev.topo.cli.stream.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.fleet.Fleet;
import dev.topo.inspect.fleet.FleetReader;
import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.MachineName;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import dev.topo.output.Answer;
import dev.topo.output.CaveatMark;
import dev.topo.output.change.UpgradeJson;
import dev.topo.output.change.UpgradeText;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.MissingPorts;
import dev.topo.simulator.upgrade.FleetUpgrade;
import dev.topo.simulator.upgrade.Upgrade;
import dev.topo.simulator.upgrade.Upgrade.VersionedJob;
import dev.topo.simulator.upgrade.UpgradeResult;
import dev.topo.visualizer.report.UpgradePage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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
      "Exit status 1 if something changes. How fast the kernels of a release are is not known.",
      "",
      "Example: topo upgrade topologies/dgx-h100.xml --nodes 4 --from 2.27.5 --to 2.28.9",
      "Example: topo upgrade --node a.xml*2 --node b.xml*2 --from 2.21.5 --to 2.28.9 --collective all_reduce",
      "Example: topo upgrade dumps/ --from 2.27.5 --to 2.28.9 --format html -o upgrade.html"
    })
final class UpgradeCommand extends Subcommand {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "A topology file; or several, or folders, which are searched for *.xml.")
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

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the output to this file.")
  private @Nullable Path file;

  @Mixin private JobOptions job = new JobOptions();
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();
  @Mixin private CallOptions calls = new CallOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private SettingOptions setting = new SettingOptions();

  private final MissingPorts missingPorts = new MissingPorts();

  private enum UpgradeFormat implements Format {
    text,
    json,
    html;

    @Override
    public List<String> endings() {
      return this == html ? List.of(".html", ".htm") : Format.super.endings();
    }
  }

  @Override
  public Integer call() {
    if (job.hasSplit()) {
      throw new SettingException("--split: expected a whole job");
    }
    if (paths.isEmpty() && !job.hasNodeList()) {
      throw new SettingException("expected a topology FILE (--help shows an example)");
    }
    boolean isFleet = paths.size() > 1 || paths.stream().anyMatch(Files::isDirectory);
    List<Path> machines = isFleet ? List.of() : job.machines(paths);
    if (from == null || to == null) {
      throw new SettingException(
          "expected both releases, as in --from 2.27.5 --to 2.28.9 (--nccl list shows all)");
    }
    ReleaseRules old = VersionOptions.parse("--from ", from);
    ReleaseRules now = VersionOptions.parse("--to ", to);
    Upgrade upgrade = new Upgrade(old, now, this::evaluator);
    NcclSettings settings = setting.forJob(environment(), now, streams());
    SettingOptions.absent(settings, old, streams());
    OutputPlan plan = plan(file); // fails before the work if the file cannot be written
    return isFleet ? fleet(upgrade, settings, plan) : single(upgrade, machines, settings, plan);
  }

  private int single(Upgrade upgrade, List<Path> machines, NcclSettings settings, OutputPlan plan) {
    UpgradeResult result = upgrade.of(MachineName.of(machines), job(machines, settings));
    CaveatMark mark = mark(upgrade, settings, machines, result);
    plan.write(
        machines.get(0),
        mark.mark(
            format.name(),
            switch (format) {
              case text -> UpgradeText.of(result);
              case json -> UpgradeJson.of(result);
              case html -> Answer.of(UpgradePage.of(result, mark.caveats()));
            }));
    return result.isEqual() ? ExitStatus.DONE : ExitStatus.NO;
  }

  private int fleet(Upgrade upgrade, NcclSettings settings, OutputPlan plan) {
    if (job.hasNodeList()) {
      throw new SettingException("--node: expected no FILE, or one folder or several FILE alone");
    }
    List<Path> files = FleetReader.files(paths);
    Fleet fleet;
    try (Progress.Task task = begin("file", files.size())) {
      fleet = FleetReader.read(files, one -> task.next());
    }
    FleetUpgrade result =
        upgrade.ofFleet(
            paths.size() == 1 ? Optional.of(paths.get(0)) : Optional.empty(),
            fleet,
            one -> job(machines(one), settings),
            this::begin);
    if (result.groups().isEmpty()) {
      result.unreadable().forEach(one -> message(one.message()));
      return files.isEmpty() ? noFile() : ExitStatus.BAD_INPUT;
    }
    CaveatMark mark =
        mark(
            upgrade,
            settings,
            result.groups().stream().map(group -> group.files().get(0)).toList(),
            result.groups().get(0).result());
    plan.write(
        paths.get(0),
        mark.mark(
            format.name(),
            switch (format) {
              case text -> UpgradeText.of(result);
              case json -> UpgradeJson.of(result);
              case html -> Answer.of(UpgradePage.of(result, mark.caveats()));
            }));
    return result.nChanged() == 0 && result.unreadable().isEmpty()
        ? ExitStatus.DONE
        : ExitStatus.NO;
  }

  private int noFile() {
    throw unusable(paths.get(0), "has no *.xml file, expected topology files");
  }

  /** The machines of a job of equal nodes: without --nodes two of one that has network ports. */
  private List<Path> machines(Path node) {
    boolean hasPorts = FleetReader.hasPorts(input.document(node).root());
    return job.isGiven()
        ? job.machines(List.of(node))
        : Collections.nCopies(hasPorts ? 2 : 1, node);
  }

  /** What is not modelled for the machines that NCCL starts on. */
  private CaveatMark mark(
      Upgrade upgrade, NcclSettings settings, List<Path> machines, UpgradeResult result) {
    CaveatCollector caveats = input.caveats(upgrade::to, streams());
    caveats.add(CaveatFinder.ofRelease(upgrade.from()));
    Map<Path, Topology> topologies = new LinkedHashMap<>();
    for (Path machine : machines) {
      if (result.after().failure().isEmpty()) {
        topologies.put(machine, input.topology(machine, upgrade.to().profile(), streams()));
      }
    }
    caveats.addJob(topologies, result.nodes(), false, settings);
    return new CaveatMark(streams()::message, upgrade.to(), caveats.list());
  }

  /** A job of some machines, equal ones as one object. */
  private VersionedJob job(List<Path> machines, NcclSettings settings) {
    List<CollectiveCall> list = calls.calls(calls.sizes());
    return profile -> {
      Map<String, Machine> known = new LinkedHashMap<>();
      List<Machine> inOrder = new ArrayList<>();
      for (Path path : machines) {
        inOrder.add(
            known.computeIfAbsent(
                path.toString(),
                name -> new Machine(input.topology(path, profile, streams()), settings)));
      }
      missingPorts.note(known, inOrder.size()).ifPresent(this::message);
      return calibration.applyTo(JobRequest.of(new Job(inOrder), list));
    };
  }
}
