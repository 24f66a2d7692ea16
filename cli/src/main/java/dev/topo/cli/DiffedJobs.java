package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.variant.DiffJob;
import dev.topo.simulator.variant.Upgrade;
import dev.topo.simulator.variant.UpgradeResult;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The jobs in which files are compared, as the options of a command state them.
 *
 * @param command reads the machines
 * @param settings NCCL's settings
 */
record DiffedJobs(CalibratedCommand command, DiffOptions options, NcclSettings settings) {
  private List<Call> calls() {
    CallOptions calls = options.calls();
    return calls.all(calls.sizes());
  }

  /** The job in which differences are tried, by one release. */
  DiffJob job() {
    NcclProfile profile = command.version().profile();
    List<Call> list = calls();
    return new DiffJob(
        files(profile),
        command.evaluator(),
        part -> command.request(part, profile, list),
        options.nodes(),
        options.calls().hasSizes() ? options.calls().sizes() : List.of());
  }

  /** True if communicators of a job of nodes like one share a host. */
  boolean sharesHosts(Path file, int nodes) {
    return files(command.version().profile()).sharesHosts(Collections.nCopies(nodes, file));
  }

  private ComparedFiles files(NcclProfile profile) {
    return new ComparedFiles(
        command.machines(), options.groups(), settings, profile, command.inputs());
  }

  /** A job of nodes like one file by a release, beside one like another by another release. */
  Map<String, UpgradeResult> results(Upgrade upgrade, Path before, Path after) {
    return upgrade.ofParts(
        MachineName.of(before) + " → " + MachineName.of(after),
        options.groups().hasSplit(),
        profile -> parts(before, profile),
        profile -> parts(after, profile),
        (part, profile) -> command.request(part, profile, calls()));
  }

  private List<JobPart> parts(Path file, NcclProfile profile) {
    ComparedFiles files = files(profile);
    Machine node = files.machine(file);
    return files.parts(Collections.nCopies(DiffJob.count(options.nodes(), node), file));
  }

  /** Caveats of two releases. */
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
