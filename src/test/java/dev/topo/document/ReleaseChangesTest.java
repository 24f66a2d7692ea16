package dev.topo.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.QuantityFormat;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.UnknownElements;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.variant.JobChange;
import dev.topo.simulator.variant.Upgrade;
import dev.topo.simulator.variant.UpgradeResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table of docs/nccl-versions.md of what the newest releases change on shipped machines. */
@Tag("slow")
class ReleaseChangesTest {
  private static final List<Upgrade> UPGRADES =
      List.of(upgrade("2.30.7", "2.31.2"), upgrade("2.31.2", "2.32.3"));

  private static final List<Integer> NODES = List.of(1, 2, 4);
  private static final List<CollectiveCall> CALLS =
      Stream.of(Collective.values())
          .flatMap(
              collective ->
                  IntStream.rangeClosed(3, 33)
                      .mapToObj(power -> CollectiveCall.of(collective, 1L << power)))
          .toList();

  @Test
  void theTableIsWhatTheRulesGive() throws IOException {
    StringBuilder table =
        new StringBuilder(
            "| machine | nodes | 2.30.7 → 2.31.2 | 2.31.2 → 2.32.3 |\n|---|---|---|---|\n");
    for (Path file : ShippedMachines.files()) {
      Map<String, List<Integer>> byChange = new LinkedHashMap<>();
      for (int nodes : NODES) {
        String changes =
            UPGRADES.stream()
                .map(upgrade -> changes(upgrade, file, nodes))
                .collect(Collectors.joining(" | "));
        if (!changes.equals("– | –")) {
          byChange.computeIfAbsent(changes, same -> new ArrayList<>()).add(nodes);
        }
      }
      byChange.forEach(
          (changes, nodes) ->
              table.append(
                  "| %s | %s | %s |\n"
                      .formatted(
                          MachineName.of(file),
                          nodes.toString().replaceAll("[\\[\\]]", ""),
                          changes)));
    }
    DocumentTables.check("docs/nccl-versions.md", Map.of("changes", table.toString()));
  }

  private static Upgrade upgrade(String from, String to) {
    return new Upgrade(
        ReleaseRules.of(NcclProfile.of(from)),
        ReleaseRules.of(NcclProfile.of(to)),
        new JobEvaluator());
  }

  private static JobRequest job(Path file, int nodes, NcclProfile profile) {
    Machine machine =
        new Machine(
            new TopologyReader(UnknownElements.REJECTED, profile)
                .read(file, GpuSelection.ALL, new Diagnostics()),
            NcclSettings.DEFAULTS);
    return JobRequest.of(Job.ofEqual(machine, nodes), profile, CALLS);
  }

  private static String changes(Upgrade upgrade, Path file, int nodes) {
    UpgradeResult result = upgrade.of(MachineName.of(file), profile -> job(file, nodes, profile));
    assertEquals(Optional.empty(), result.before().failure());
    assertEquals(Optional.empty(), result.after().failure());
    JobChange change = result.change();
    List<String> changes = new ArrayList<>();
    if (!change.graphs().isEmpty()) {
      changes.add("graphs");
    }
    change.choices().forEach(choice -> changes.add(words(choice)));
    return changes.isEmpty() ? "–" : String.join("; ", changes);
  }

  private static String words(JobChange.ChoiceChange choice) {
    return "%s %s: %s → %s"
        .formatted(
            choice.collective().label(),
            QuantityFormat.sizes(choice.firstBytes(), choice.lastBytes()),
            choice.before(),
            choice.after());
  }
}
