package dev.topo.cli;

import dev.topo.cli.option.BriefOption;
import dev.topo.cli.option.CalibrationOptions;
import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.OutputFile;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.difference.Fleet;
import dev.topo.inspect.difference.FleetReader;
import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call;
import dev.topo.model.xml.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.variant.DiffJob;
import dev.topo.simulator.variant.DiffJob.MachineFiles;
import dev.topo.simulator.variant.DiffResult;
import dev.topo.simulator.variant.FleetDiff;
import dev.topo.simulator.variant.FleetResult;
import dev.topo.simulator.variant.PairDiff;
import dev.topo.simulator.variant.Upgrade;
import dev.topo.simulator.variant.Upgrade.VersionedJob;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.study.DiffHeadline;
import dev.topo.visualizer.study.DiffJson;
import dev.topo.visualizer.study.DiffText;
import dev.topo.visualizer.study.UpgradeHeadline;
import dev.topo.visualizer.study.UpgradeJson;
import dev.topo.visualizer.study.UpgradeText;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo diff}: what differs between machines, and what that changes. */
@Command(
    name = "diff",
    description = {
      "What differs between two machines, or in a fleet, and what that changes in a job.",
      "Ignores bus ids, host hashes and the order of devices in a file, but not device numbers.",
      "With two files, each difference is applied by itself to the first. With a folder or more files,",
      "equal nodes are grouped. The largest group is the reference; a node that differs is evaluated in a job",
      "of one such node and reference nodes."
    },
    footer = {
      "",
      "Exit status 0 if all are equal, 1 if not or if some files of a fleet cannot be read.",
      "",
      "Example: topo diff before.xml after.xml",
      "Example: topo diff a.xml b.xml --nodes 16 --collective all_reduce --sizes 1M,1G",
      "Example: topo diff a.xml b.xml --nccl 2.27.5,2.28.9",
      "Example: topo diff dumps/",
      "Example: topo diff dumps/ --nodes 64 --format json -o fleet.json"
    })
final class DiffCommand extends Subcommand {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Two topology files; or more, or folders, which are searched recursively for *.xml and *.xml.gz.")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "Nodes of the job in which differences are evaluated (default: 2 if the first machine has network ports, else 1).")
  private @Nullable Integer nodes;

  @Mixin private BriefOption brief = new BriefOption();
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TextOrJson format = TextOrJson.text;

  @Mixin private OutputFile output = new OutputFile();
  @Mixin private CallOptions calls = new CallOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();

  @Override
  public Integer call() {
    if (!version.two().isEmpty()) {
      return releases(version.two());
    }
    NcclSettings settings = setting.forJob(environment(), version.rules(), streams());
    List<Call> list = calls.all(calls.sizes());
    DiffJob job =
        new DiffJob(
            new DiffFiles(machines(), settings, version.profile()),
            evaluator(),
            jobOfNodes ->
                calibration.applyTo(JobRequest.of(jobOfNodes, version.profile(), list), inputs()),
            nodes(),
            calls.hasSizes() ? calls.sizes() : List.of());
    boolean isPair = paths.size() == 2 && paths.stream().noneMatch(Files::isDirectory);
    List<Path> files = FleetReader.files(paths, inputs());
    OutputPlan plan =
        output.plan(inputs(), streams()); // fails before the work if the file cannot be written
    return isPair ? pair(job, plan) : fleet(job, files, plan);
  }

  /** The first file by one release beside the second by another. */
  private int releases(List<ReleaseRules> rules) {
    if (paths.size() != 2 || paths.stream().anyMatch(Files::isDirectory)) {
      throw new SettingException("--nccl with two versions: expected two files, A and B");
    }
    NcclSettings settings = setting.forJob(environment(), rules.get(1), streams());
    OutputPlan plan = output.plan(inputs(), streams());
    UpgradeResult result =
        new Upgrade(rules.get(0), rules.get(1), evaluator())
            .of(
                MachineName.of(paths.get(0)) + " → " + MachineName.of(paths.get(1)),
                job(paths.get(0), settings),
                job(paths.get(1), settings));
    List<Caveat> caveats =
        Stream.concat(
                CaveatFinder.withoutRules(result.withoutRules()).stream(),
                rules.stream().flatMap(one -> CaveatFinder.ofRelease(one).stream()))
            .toList();
    plan.write(
        paths.get(0),
        rendered(
            (format == TextOrJson.text
                    ? UpgradeText.of(result, input.isVerbose())
                    : UpgradeJson.of(result))
                .saying(UpgradeHeadline.of(result)),
            envelope(rules.get(1), caveats),
            format.name()));
    return result.isEqual() ? ExitStatus.DONE : ExitStatus.NO;
  }

  private VersionedJob job(Path machine, NcclSettings settings) {
    return profile -> {
      Machine node = new Machine(machines().topology(machine, profile), settings);
      int count = nodes().orElse(node.topology().nets().isEmpty() ? 1 : 2);
      return calibration.applyTo(
          JobRequest.of(Job.ofEqual(node, count), profile, calls.all(calls.sizes())), inputs());
    };
  }

  private InputMachines machines() {
    return input.machines(inputs(), streams());
  }

  private Optional<Integer> nodes() {
    if (nodes != null && nodes < 1) {
      throw new SettingException("--nodes " + nodes + ": expected a number from 1");
    }
    return Optional.ofNullable(nodes);
  }

  private int pair(DiffJob job, OutputPlan plan) {
    DiffResult result = PairDiff.of(job, this::begin, paths.get(0), paths.get(1));
    Answer answer =
        format == TextOrJson.text
            ? Answer.of(DiffText.of(result, input.isVerbose()))
            : DiffJson.of(result);
    plan.write(
        paths.get(0),
        marked(
            answer.saying(DiffHeadline.of(result)),
            List.of(result.a().file(), result.b().file()),
            result.settings().nodes()));
    return result.differences().isEmpty() ? ExitStatus.DONE : ExitStatus.NO;
  }

  private Answer marked(Answer answer, List<Path> files, int count) {
    Map<Path, Topology> machines = new LinkedHashMap<>();
    files.forEach(one -> machines.put(one, machines().topology(one, version.profile())));
    CaveatCollector caveats = machines().caveats(version::rules);
    caveats.addJob(
        machines,
        count,
        false,
        calibration.withoutModelled(setting.forJob(environment(), version.rules(), streams())));
    return rendered(answer, envelope(version.rules(), caveats.list()), format.name());
  }

  private int fleet(DiffJob job, List<Path> files, OutputPlan plan) {
    if (files.size() < 2) {
      throw new SettingException(
          "expected two files, or a folder with several: got "
              + (files.isEmpty() ? "none" : "only " + files.get(0))
              + (paths.size() > 1 && files.size() == 1 ? " again and again" : ""));
    }
    Optional<Path> folder = paths.size() == 1 ? Optional.of(paths.get(0)) : Optional.empty();
    Fleet fleet;
    try (Progress.Task task = begin("file", files.size())) {
      fleet = FleetReader.read(files, inputs(), file -> task.next());
    }
    FleetResult result = FleetDiff.of(job, this::begin, folder, fleet);
    if (result.reference().isEmpty()) {
      result.unreadable().forEach(one -> message(one.message()));
      return ExitStatus.BAD_INPUT;
    }
    Answer answer =
        format == TextOrJson.text ? Answer.of(DiffText.of(result)) : DiffJson.of(result);
    List<Path> kinds =
        Stream.concat(
                Stream.of(result.reference().get().files().get(0)),
                result.odd().stream().map(odd -> odd.files().get(0)))
            .toList();
    plan.write(
        paths.get(0),
        marked(
            answer.saying(DiffHeadline.of(result)),
            kinds,
            result.reference().get().settings().nodes()));
    return result.isUniform() ? ExitStatus.DONE : ExitStatus.NO;
  }

  /** The compared files as the user's options read them; prints diagnostics about the files. */
  private record DiffFiles(InputMachines input, NcclSettings settings, NcclProfile profile)
      implements MachineFiles {
    @Override
    public String name(Path file) {
      return MachineName.of(file);
    }

    @Override
    public Machine machine(Path file) {
      return new Machine(input.topology(file, profile), settings);
    }

    @Override
    public Machine machine(XmlElement edited) {
      return new Machine(input.edited(edited, profile), settings);
    }

    @Override
    public XmlElement tree(Path file) {
      return input.document(file).root();
    }
  }
}
