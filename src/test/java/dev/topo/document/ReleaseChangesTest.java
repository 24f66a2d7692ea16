package dev.topo.document;

import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
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
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.UnknownElements;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Decision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table of docs/nccl-versions.md of what the newest releases change on shipped machines. */
@Tag("slow")
class ReleaseChangesTest {
  private static final List<NcclProfile> RELEASES =
      List.of(NcclProfile.of("2.30.7"), NcclProfile.of("2.31.2"), NcclProfile.of("2.32.3"));

  private static final List<Integer> NODES = List.of(1, 2, 4);
  private static final int SMALLEST = 3;
  private static final int LARGEST = 33;

  @Test
  void theTableIsWhatTheRulesGive() throws IOException {
    StringBuilder table =
        new StringBuilder(
            "| machine | nodes | 2.30.7 → 2.31.2 | 2.31.2 → 2.32.3 |\n|---|---|---|---|\n");
    for (Path file : ShippedMachines.files()) {
      Map<String, List<Integer>> byChange = new LinkedHashMap<>();
      for (int nodes : NODES) {
        List<Communicator> jobs = new ArrayList<>();
        for (NcclProfile profile : RELEASES) {
          jobs.add(communicator(file, nodes, profile));
        }
        String changes =
            changes(jobs.get(0), jobs.get(1)) + " | " + changes(jobs.get(1), jobs.get(2));
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

  private static Communicator communicator(Path file, int nodes, NcclProfile profile) {
    Topology topology =
        new TopologyReader(UnknownElements.REJECTED, profile)
            .read(file, GpuSelection.ALL, new Diagnostics());
    return Communicator.of(
        Job.ofEqual(new Machine(topology, NcclSettings.DEFAULTS), nodes),
        GraphSearch::findAll,
        profile);
  }

  private static String changes(Communicator before, Communicator after) {
    List<String> changes = new ArrayList<>();
    if (!before
        .connection()
        .searchedGraphs(0)
        .all()
        .equals(after.connection().searchedGraphs(0).all())) {
      changes.add("graphs");
    }
    for (Collective collective : Collective.values()) {
      changes.addAll(
          ranges(
              before, after, collective, (old, now) -> old.equals(now) ? "" : old + " → " + now));
    }
    return changes.isEmpty() ? "–" : String.join("; ", changes);
  }

  /** Powers of two with the same change, joined. */
  private static List<String> ranges(
      Communicator before,
      Communicator after,
      Collective collective,
      BinaryOperator<String> change) {
    List<String> ranges = new ArrayList<>();
    String current = "";
    long first = 0;
    for (int power = SMALLEST; power <= LARGEST + 1; power++) {
      long bytes = 1L << power;
      String now =
          power > LARGEST
              ? ""
              : change.apply(choice(before, collective, bytes), choice(after, collective, bytes));
      if (!now.equals(current)) {
        if (!current.isEmpty()) {
          ranges.add("%s %s: %s".formatted(collective.label(), sizes(first, bytes / 2), current));
        }
        current = now;
        first = bytes;
      }
    }
    return ranges;
  }

  private static String sizes(long first, long last) {
    return first == last
        ? QuantityFormat.size(first)
        : QuantityFormat.size(first) + " to " + QuantityFormat.size(last);
  }

  private static String choice(Communicator job, Collective collective, long bytes) {
    return job.tuner()
        .decide(CollectiveCall.of(collective, bytes))
        .choice()
        .map(ReleaseChangesTest::words)
        .orElse("refused");
  }

  private static String words(Decision.Choice choice) {
    return choice.algorithm().label() + "/" + choice.protocol().label();
  }
}
