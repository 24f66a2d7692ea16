package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.difference.Fleet;
import dev.topo.inspect.difference.FleetReader;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
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
 * The jobs of an upgrade, as the options describe them.
 *
 * @param question reads the machines
 * @param settings NCCL's settings
 * @param options the options for the calls
 */
record UpgradedJobs(
    JobQuestion question,
    CalibrationOptions calibration,
    Upgrade upgrade,
    NcclSettings settings,
    CallOptions options) {
  private JobRequest request(JobPart part, NcclProfile profile) {
    return calibration
        .resolver(question.command().inputs())
        .request(profile, part)
        .withCalls(options.all(options.sizes()));
  }

  /** The rules that the answer follows: those after the upgrade. */
  ReleaseRules rules() {
    return upgrade.to();
  }

  /** The changes of the job; with a split those of each kind of communicator, by its label. */
  Map<String, UpgradeResult> results(List<Path> files) {
    Function<NcclProfile, List<JobPart>> parts =
        profile -> question.parts(files, settings, profile);
    return upgrade.ofParts(
        question.job().layout(files).name(),
        question.job().hasSplit(),
        parts,
        parts,
        this::request);
  }

  /** The changes of each node of a fleet, evaluated in a job of equal nodes. */
  FleetUpgrade fleet(Optional<Path> folder, Fleet fleet) {
    return upgrade.ofFleet(
        folder,
        fleet,
        node -> question.job().isGiven() ? job(List.of(node)) : defaultJob(node),
        question.command()::begin);
  }

  private VersionedJob job(List<Path> files) {
    return profile -> request(question.parts(files, settings, profile).get(0), profile);
  }

  /**
   * The caveats of the machines of these jobs.
   *
   * @param jobs the topology files of each job
   */
  List<Caveat> caveats(List<List<Path>> jobs, List<UpgradeResult> results, int nodes) {
    CaveatCollector caveats = question.caveats(upgrade::to);
    NcclProfile after = upgrade.to().profile();
    UpgradeCaveats.add(
        caveats,
        upgrade.from(),
        results,
        nodes,
        () ->
            jobs.stream()
                .flatMap(files -> question.parts(files, settings, after).stream())
                .toList(),
        calibration.withoutModelled(settings));
    return caveats.list();
  }

  /**
   * The job for a node if no option states the number of nodes: two nodes equal to it if it has
   * network ports, else one.
   */
  private VersionedJob defaultJob(Path node) {
    InputMachines machines = question.machines();
    int nodes = FleetReader.hasPorts(machines.document(node).root()) ? 2 : 1;
    return profile ->
        request(
            JobPart.ofEqual(new Machine(machines.topology(node, profile), settings), nodes),
            profile);
  }
}
