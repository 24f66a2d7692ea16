package dev.topo.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.fixture.CollectiveCalls;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/nccl-versions/changes.csv and its summary in docs/nccl-versions.md have what the newest
 * releases change on shipped machines.
 */
@Tag("slow")
class ReleaseChangesTest {
  private static final List<Upgrade> UPGRADES =
      List.of(upgrade("2.30.7", "2.31.2"), upgrade("2.31.2", "2.32.3"));

  private static final List<Integer> NODES = List.of(1, 2, 4);
  private static final List<CollectiveCall> CALLS = CollectiveCalls.atPowersOfTwo();

  @Test
  void theTablesAreWhatTheRulesGive() throws IOException {
    StringBuilder csv =
        new StringBuilder("machine,nodes,from,to,change,first_bytes,last_bytes,before,after\n");
    StringBuilder summary =
        new StringBuilder("| upgrade | graphs change | choices change |\n|---|---|---|\n");
    for (Upgrade upgrade : UPGRADES) {
      Map<String, List<Integer>> graphs = new LinkedHashMap<>();
      Map<String, List<Integer>> choices = new LinkedHashMap<>();
      for (Path file : ShippedMachines.files()) {
        String machine = MachineName.of(file);
        for (int nodes : NODES) {
          JobChange change = change(upgrade, file, nodes);
          String job = "%s,%d,%s".formatted(machine, nodes, words(upgrade, ","));
          change.graphs().forEach(graph -> csv.append(job).append(row(graph)));
          change.choices().forEach(choice -> csv.append(job).append(row(choice)));
          if (!change.graphs().isEmpty()) {
            graphs.computeIfAbsent(machine, first -> new ArrayList<>()).add(nodes);
          }
          if (!change.choices().isEmpty()) {
            choices.computeIfAbsent(machine, first -> new ArrayList<>()).add(nodes);
          }
        }
      }
      summary.append(
          "| %s | %s | %s |\n".formatted(words(upgrade, " → "), words(graphs), words(choices)));
    }
    DocumentTables.checkFile("docs/nccl-versions/changes.csv", csv.toString());
    DocumentTables.check("docs/nccl-versions.md", Map.of("changes", summary.toString()));
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

  private static JobChange change(Upgrade upgrade, Path file, int nodes) {
    UpgradeResult result = upgrade.of(MachineName.of(file), profile -> job(file, nodes, profile));
    assertEquals(Optional.empty(), result.before().failure());
    assertEquals(Optional.empty(), result.after().failure());
    return result.change();
  }

  private static String row(JobChange.GraphChange graph) {
    return ",%s %s,,,%s,%s\n"
        .formatted(graph.kind().label(), graph.property(), graph.before(), graph.after());
  }

  private static String row(JobChange.ChoiceChange choice) {
    return ",%s,%d,%d,%s,%s\n"
        .formatted(
            choice.collective().label(),
            choice.firstBytes(),
            choice.lastBytes(),
            choice.before(),
            choice.after());
  }

  private static String words(Upgrade upgrade, String between) {
    return upgrade.from().release() + between + upgrade.to().release();
  }

  /** The machines, each with the numbers of nodes. */
  private static String words(Map<String, List<Integer>> machines) {
    return machines.isEmpty()
        ? "none"
        : machines.entrySet().stream()
            .map(
                machine ->
                    machine.getKey()
                        + " "
                        + machine.getValue().toString().replace('[', '(').replace(']', ')'))
            .collect(Collectors.joining(", "));
  }
}
