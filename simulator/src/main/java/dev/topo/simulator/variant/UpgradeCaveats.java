package dev.topo.simulator.variant;

import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Caveats of the machines that NCCL starts on after an upgrade. */
public final class UpgradeCaveats {
  private UpgradeCaveats() {}

  /**
   * Adds the caveats.
   *
   * @param from the rules before
   * @param results the changes of at least one job
   * @param nodes number of machines of a job
   * @param parts the communicators of the jobs under the rules after; evaluated only if NCCL starts
   * @param settings the settings whose effects may not be modelled
   */
  public static void add(
      CaveatCollector caveats,
      ReleaseRules from,
      List<UpgradeResult> results,
      int nodes,
      Supplier<List<JobPart>> parts,
      NcclSettings settings) {
    results.forEach(result -> caveats.add(CaveatFinder.withoutRules(result.withoutRules())));
    results.forEach(
        result ->
            Stream.of(result.memoryBefore(), result.memoryAfter())
                .flatMap(Optional::stream)
                .forEach(memory -> caveats.add(CaveatFinder.ofMemory(memory.omissions()))));
    caveats.add(CaveatFinder.ofRelease(from));
    for (UpgradeResult result : results) {
      Stream.of(result.from(), result.to())
          .map(
              rules ->
                  CaveatFinder.ofCalls(
                      rules.profile(),
                      result.after().predictions().keySet().stream().map(Call::operation).toList(),
                      false))
          .forEach(caveats::add);
    }
    Map<Path, Topology> topologies = new LinkedHashMap<>();
    if (results.get(0).after().failure().isEmpty()) {
      for (JobPart part : parts.get()) {
        caveats.addJob(part.topologies(), nodes, false, settings);
        topologies.putAll(part.topologies());
      }
    }
    caveats.add(
        CaveatFinder.ofDomains(
            topologies.entrySet().stream()
                .map(machine -> caveats.subject(machine.getKey(), machine.getValue()))
                .toList(),
            from));
  }
}
