package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.GpuSelection;
import dev.topo.model.xml.GraphReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Threads, model and choices of every reference machine, number by number to the last bit, and the
 * channels and buffers that the answers begin with.
 */
class TuningReferenceTest {
  @Test
  void ownMachinesAreTunedAsInNccl() {
    compare("own", ReferenceSets.inProject("own"), NcclSettings.DEFAULTS);
  }

  @Test
  void randomMachinesAreTunedAsInNccl() {
    compare("random", ReferenceSets.inProject("random"), NcclSettings.DEFAULTS);
  }

  @Test
  void publishedMachinesAreTunedAsInNccl() {
    compare("public", ReferenceSets.beside("public"), NcclSettings.DEFAULTS);
  }

  @Test
  void settingsChangeTuningAsInNccl() {
    if (!ReferenceSets.isThere("reference/env")) {
      return;
    }
    for (Path folder : ReferenceSets.folders(ReferenceSets.shared("reference/env"))) {
      String setting = folder.getFileName().toString();
      List<ReferenceCase> cases =
          ReferenceSets.beside(
              "env/" + setting, machine -> ownTopology(machine.getFileName().toString()));
      compare("env " + setting, cases, NcclSettings.parse(List.of(setting)));
    }
  }

  @Test
  void someGpusOfAMachineAreTunedAsInNccl() {
    Tally tally = new Tally("subset", 1);
    for (ReferenceCase reference : ReferenceSets.beside("subset")) {
      Map<String, String> facts =
          reference.lines("case.txt").stream()
              .map(line -> line.split(" ", 2))
              .collect(Collectors.toMap(words -> words[0], words -> words[1]));
      Set<Integer> devs =
          Stream.of(facts.get("gpus").split(",")).map(Integer::valueOf).collect(Collectors.toSet());
      ReferenceCase machine =
          new ReferenceCase(reference.folder(), ownTopology(facts.get("machine")));
      tally.add(machine, machine.topology(GpuSelection.of(devs)), NcclSettings.DEFAULTS);
    }
    tally.finish();
  }

  private static Path ownTopology(String machine) {
    return ReferenceSets.topologies().resolve(machine + ".xml");
  }

  private static void compare(String set, List<ReferenceCase> cases, NcclSettings settings) {
    for (int machines : new int[] {1, 2, 4}) {
      Tally tally = new Tally(set, machines);
      for (ReferenceCase reference : cases) {
        tally.add(reference, reference.topology(GpuSelection.ALL), settings);
      }
      tally.finish();
    }
  }

  /** Counts the cases of a set and their lines. */
  private static final class Tally {
    private final int machines;
    private final Agreement agreement;
    private int modelLines;
    private int choiceLines;

    Tally(String set, int machines) {
      this.machines = machines;
      this.agreement = new Agreement("tuning n" + machines + " " + set);
    }

    void add(ReferenceCase reference, Topology topology, NcclSettings settings) {
      String file = "tuning.n" + machines + ".txt";
      if (!reference.has(file)) {
        return;
      }
      TuningAnswers answers = TuningAnswers.parse(reference.lines(file));
      Path graphFile = reference.folder().resolve("graph.n" + machines + ".xml");
      NodeGraphs graphs = new GraphReader(topology).read(graphFile);
      List<String> differences =
          new TuningCase(topology, graphs, answers, machines, settings).differences();
      modelLines += answers.threads().size() + answers.model().size();
      choiceLines += answers.choices().size();
      agreement.add(
          reference.name(),
          differences.isEmpty()
              ? ""
              : differences.size() + " lines, the first: " + differences.get(0));
    }

    void finish() {
      agreement.finish(" (model " + modelLines + ", choices " + choiceLines + " lines)");
    }
  }
}
