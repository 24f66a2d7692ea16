package dev.topo.reference;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.GpuSelection;
import dev.topo.search.communicator.Communicator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Threads, model and choices of every reference machine, number by number to the last bit, and the
 * channels and buffers that the answers begin with. All of it from the topology files alone.
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
    Tally tally = new Tally("n1 subset");
    for (ReferenceCase reference : ReferenceSets.beside("subset")) {
      Map<String, String> facts =
          reference.lines("case.txt").stream()
              .map(line -> line.split(" ", 2))
              .collect(Collectors.toMap(words -> words[0], words -> words[1]));
      Set<Integer> devs =
          Stream.of(facts.get("gpus").split(",")).map(Integer::valueOf).collect(Collectors.toSet());
      ReferenceCase machine =
          new ReferenceCase(reference.folder(), ownTopology(facts.get("machine")));
      Machine some = new Machine(machine.topology(GpuSelection.of(devs)), NcclSettings.DEFAULTS);
      tally.add(machine, "tuning.n1.txt", Job.ofEqual(some, 1));
    }
    tally.finish();
  }

  @Test
  void jobsOfUnequalMachinesAreTunedAsInNccl() {
    Tally tally = new Tally("mixed");
    for (ReferenceCase reference : ReferenceSets.beside("mixed")) {
      Map<String, Machine> machines = new HashMap<>();
      List<Machine> inOrder = new ArrayList<>();
      for (String file : reference.lines("nodes.txt")) {
        inOrder.add(machines.computeIfAbsent(file.strip(), TuningReferenceTest::ownMachine));
      }
      tally.add(reference, "tuning.txt", new Job(inOrder));
    }
    tally.finish();
  }

  private static Machine ownMachine(String file) {
    Path topology = ReferenceSets.topologies().resolve(file);
    return new Machine(
        new ReferenceCase(ReferenceSets.topologies(), topology).topology(GpuSelection.ALL),
        NcclSettings.DEFAULTS);
  }

  private static Path ownTopology(String machine) {
    return ReferenceSets.topologies().resolve(machine + ".xml");
  }

  private static void compare(String set, List<ReferenceCase> cases, NcclSettings settings) {
    for (int machines : new int[] {1, 2, 4}) {
      Tally tally = new Tally("n" + machines + " " + set);
      for (ReferenceCase reference : cases) {
        Machine machine = new Machine(reference.topology(GpuSelection.ALL), settings);
        tally.add(reference, "tuning.n" + machines + ".txt", Job.ofEqual(machine, machines));
      }
      tally.finish();
    }
  }

  /** Counts the cases of a set and their lines. */
  private static final class Tally {
    private final Agreement agreement;
    private int modelLines;
    private int choiceLines;

    Tally(String set) {
      this.agreement = new Agreement("tuning " + set);
    }

    void add(ReferenceCase reference, String file, Job job) {
      if (!reference.has(file)) {
        return;
      }
      TuningAnswers answers = TuningAnswers.parse(reference.lines(file));
      List<String> differences = new TuningCase(Communicator.of(job), answers).differences();
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
