package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.difference.Fleet;
import dev.topo.inspect.difference.FleetReader;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.variant.Upgrade.VersionedJob;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;

/** A command that evaluates jobs several times, by the same calibration and settings. */
abstract class CalibratedCommand extends Subcommand {
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();

  CalibrationOptions calibration() {
    return calibration;
  }

  VersionOptions version() {
    return version;
  }

  /** True if a text has all that is known. */
  boolean isVerbose() {
    return input.isVerbose();
  }

  /** The machines of the files. */
  InputMachines machines() {
    return input.machines(inputs(), streams());
  }

  /** The caveats of an answer by these rules. */
  CaveatCollector caveats(Supplier<ReleaseRules> rules) {
    return machines().caveats(rules);
  }

  /** NCCL's settings; reports those without effect by these rules. */
  NcclSettings settings(ReleaseRules rules) {
    return setting.forJob(environment(), rules, streams());
  }

  /** A communicator with calls, and what determines their times. */
  JobRequest request(JobPart part, NcclProfile profile, List<Call> calls) {
    return calibration.applyTo(
        JobRequest.of(part.job(), profile, calls), part.whole(), part.places().get(0), inputs());
  }

  /** A job without calls, and what determines their times. */
  JobRequest request(Job part, NcclProfile profile) {
    return calibration.applyTo(JobRequest.of(part, profile, List.of()), inputs());
  }

  /** Evaluates a job by some rules. */
  JobResult evaluated(Job part, NcclProfile profile) {
    return evaluator().evaluate(request(part, profile));
  }

  /** A job of nodes equal to one, where no option states how many: two if it has network ports. */
  VersionedJob usualJob(Path node, NcclSettings settings, List<Call> calls) {
    int nodes = FleetReader.hasPorts(machines().document(node).root()) ? 2 : 1;
    return profile ->
        calibration.applyTo(
            JobRequest.of(
                Job.ofEqual(new Machine(machines().topology(node, profile), settings), nodes),
                profile,
                calls),
            inputs());
  }

  /** The folder of a fleet, if the user names one path only. */
  static Optional<Path> folder(List<Path> paths) {
    return paths.size() == 1 ? Optional.of(paths.get(0)) : Optional.empty();
  }

  /** The nodes of a fleet, with the progress of their reading. */
  Fleet fleet(List<Path> files) {
    try (Progress.Task task = begin("file", files.size())) {
      return FleetReader.read(files, inputs(), path -> task.next());
    }
  }
}
