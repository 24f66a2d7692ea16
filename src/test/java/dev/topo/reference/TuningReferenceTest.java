package dev.topo.reference;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.tuning.Communicator;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Threads, model and choices of every reference machine, number by number to the last bit, and the
 * channels and buffers that the answers begin with. All of it from the topology files alone.
 */
class TuningReferenceTest {
  @Test
  void ownMachinesAreTunedAsInNccl() {
    compare("own", ReferenceSets.own(), NcclSettings.DEFAULTS, 1, 4);
  }

  @Test
  void randomMachinesAreTunedAsInNccl() {
    compare("random", ReferenceSets.random(), NcclSettings.DEFAULTS, 1, 4);
  }

  @Test
  void publishedMachinesAreTunedAsInNccl() {
    compare("public", ReferenceSets.published(), NcclSettings.DEFAULTS, 1, 4);
  }

  @Test
  void settingsChangeTuningAsInNccl() {
    ReferenceSets.bySetting()
        .forEach(
            (setting, cases) ->
                compare("env " + setting, cases, NcclSettings.parse(List.of(setting)), 1, 2));
  }

  @Test
  void someGpusOfAMachineAreTunedAsInNccl() {
    compare("subset", ReferenceSets.someGpus(), NcclSettings.DEFAULTS, 1);
  }

  @Test
  void jobsOfUnequalMachinesAreTunedAsInNccl() {
    Tally tally = new Tally("mixed");
    for (ReferenceCase reference : ReferenceSets.mixed()) {
      tally.add(reference, "tuning.txt", Communicator.of(reference.mixedJob()));
    }
    tally.finish();
  }

  /** Compares jobs of some numbers of machines, for which every case has an answer. */
  static void compare(
      String set, List<ReferenceCase> cases, NcclSettings settings, int... numbersOfMachines) {
    for (int machines : numbersOfMachines) {
      Tally tally = new Tally("n" + machines + " " + set);
      for (ReferenceCase reference : cases) {
        if (!reference.has("tuning.n" + machines + ".txt")) {
          continue; // VersionRefusalTest
        }
        Machine machine = new Machine(reference.topology(), settings);
        Job job = Job.ofEqual(machine, machines);
        tally.add(
            reference,
            "tuning.n" + machines + ".txt",
            Communicator.of(job, reference.graphs(), reference.profile()));
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

    void add(ReferenceCase reference, String file, Communicator communicator) {
      TuningAnswers answers = TuningAnswers.parse(reference.lines(file));
      List<String> differences = new TuningCase(communicator, answers).differences();
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
