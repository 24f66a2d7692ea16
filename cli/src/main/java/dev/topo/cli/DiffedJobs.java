package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.JobOptions.JobInput;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.variant.DiffJob;
import dev.topo.simulator.variant.JobSources;
import dev.topo.simulator.variant.Upgrade;
import dev.topo.simulator.variant.UpgradeResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The jobs in which machines are compared, as the options describe them.
 *
 * @param question reads the machines
 * @param settings NCCL's settings
 */
record DiffedJobs(
    MachineQuestion question,
    CalibrationOptions calibration,
    DiffOptions options,
    NcclSettings settings) {
  /** The job in which differences are evaluated under the rules of one release. */
  DiffJob job(NcclProfile profile) {
    InputMachines machines = question.machines();
    Subcommand command = question.command();
    CallOptions calls = options.calls();
    return new DiffJob(
        new JobInput(machines, settings, profile).spec(options.groups().layout(List.of())),
        new JobSources(
            machines,
            command.inputs(),
            calibration.resolver(command.inputs()),
            command.evaluator()),
        machines::edited,
        calls.all(calls.sizes()),
        options.nodes(),
        calls.hasSizes() ? calls.sizes() : List.of());
  }

  /**
   * Compares a job of nodes like one file under the old release with a job of nodes like another
   * file under the new release.
   */
  Map<String, UpgradeResult> results(Upgrade upgrade, Path before, Path after) {
    return upgrade.ofParts(
        MachineName.of(before) + " → " + MachineName.of(after),
        options.groups().hasSplit(),
        profile -> job(profile).parts(before),
        profile -> job(profile).parts(after),
        (part, profile) -> job(profile).request(part));
  }

  /** The caveats of a comparison of two releases. */
  static List<Caveat> caveats(Upgrade upgrade, Map<String, UpgradeResult> results) {
    return Stream.concat(
            results.values().stream()
                .flatMap(result -> CaveatFinder.withoutRules(result.withoutRules()).stream())
                .distinct(),
            Stream.of(upgrade.from(), upgrade.to())
                .flatMap(rules -> CaveatFinder.ofRelease(rules).stream()))
        .toList();
  }
}
