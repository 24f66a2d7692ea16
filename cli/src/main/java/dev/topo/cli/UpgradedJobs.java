package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.difference.Fleet;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.Upgrade;
import dev.topo.simulator.variant.Upgrade.VersionedJob;
import dev.topo.simulator.variant.UpgradeCaveats;
import dev.topo.simulator.variant.UpgradeResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The jobs of an upgrade, as the options of a command state them.
 *
 * @param command reads the machines
 * @param settings NCCL's settings
 * @param options the calls
 */
record UpgradedJobs(
    ComparingCommand command, Upgrade upgrade, NcclSettings settings, CallOptions options) {
  private List<Call> calls() {
    return options.all(options.sizes());
  }

  /** The rules of the answer. */
  ReleaseRules rules() {
    return upgrade.to();
  }

  /** Changes for the job, or for each kind of communicator of a split, by its label. */
  Map<String, UpgradeResult> results(List<Path> files) {
    List<Call> list = calls();
    Function<NcclProfile, List<JobPart>> parts = profile -> command.parts(files, settings, profile);
    return upgrade.ofParts(
        command.job().layout(files).name(),
        command.job().hasSplit(),
        parts,
        parts,
        (part, profile) -> command.request(part, profile, list));
  }

  /** Changes for each node of a fleet, in a job of nodes equal to it. */
  FleetUpgrade fleet(Optional<Path> folder, Fleet fleet) {
    return upgrade.ofFleet(
        folder,
        fleet,
        node ->
            command.job().isGiven()
                ? job(List.of(node))
                : command.usualJob(node, settings, calls()),
        command::begin);
  }

  private VersionedJob job(List<Path> files) {
    List<Call> list = calls();
    return profile ->
        command.request(command.parts(files, settings, profile).get(0), profile, list);
  }

  /** Caveats of the machines that NCCL starts on, by the files of some jobs. */
  List<Caveat> caveats(List<List<Path>> jobs, List<UpgradeResult> results, int nodes) {
    CaveatCollector caveats = command.caveats(upgrade::to);
    NcclProfile after = upgrade.to().profile();
    UpgradeCaveats.add(
        caveats,
        upgrade.from(),
        results,
        nodes,
        () ->
            jobs.stream().flatMap(files -> command.parts(files, settings, after).stream()).toList(),
        command.calibration().withoutModelled(settings));
    return caveats.list();
  }
}
