package dev.topo.simulator.variant;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.xml.XmlElement;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.variant.DiffResult.DiffSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The job in which differences are tried.
 *
 * @param files reads the machines
 * @param requests the calls and the calibration to evaluate a job with
 * @param nodes number of nodes; empty for 2 if the first machine has network ports, else 1
 * @param shownBytes sizes at which the text states busbw; empty for the default
 */
public record DiffJob(
    MachineFiles files,
    JobEvaluator evaluator,
    Function<Job, JobRequest> requests,
    Optional<Integer> nodes,
    List<Long> shownBytes) {
  /** Sizes at which the text states busbw where the user names none. */
  private static final List<Long> SHOWN = List.of(1L << 20, 64L << 20, 1L << 30);

  public DiffJob {
    shownBytes = shownBytes.isEmpty() ? SHOWN : List.copyOf(shownBytes);
  }

  /** Reads the compared machines, under the settings of the job. */
  public interface MachineFiles {
    String name(Path file);

    Machine machine(Path file);

    /** The machine of an edited file, which may be unusable by itself. */
    Machine machine(XmlElement edited);

    XmlElement tree(Path file);
  }

  /** Observes how far a comparison is. */
  @FunctionalInterface
  public interface DiffMonitor {
    /**
     * Begins a task of equal steps.
     *
     * @param step one of them, as in "odd node"
     * @param total number of steps
     */
    Task begin(String step, int total);

    /** A task that has begun. */
    interface Task extends AutoCloseable {
      /** Begins the next step. */
      void next();

      @Override
      void close();
    }
  }

  /** A job of equal machines, in which others are tried. */
  final class Trial {
    private final Machine reference;
    private final int count;
    private final JobAnswer before;

    Trial(Machine reference) {
      this.reference = reference;
      this.count = nodes.orElse(reference.topology().nets().isEmpty() ? 1 : 2);
      this.before = answer(Job.ofEqual(reference, count));
    }

    private JobAnswer answer(Job job) {
      return JobAnswer.of(evaluator, requests.apply(job));
    }

    /** The change if all machines are like another. */
    JobChange ofAll(Machine other) {
      return JobChange.of(before, answer(Job.ofEqual(other, count)));
    }

    /** The change if the last machine is another. */
    JobChange ofOne(Machine other) {
      List<Machine> machines = new ArrayList<>(Collections.nCopies(count - 1, reference));
      machines.add(other);
      return JobChange.of(before, answer(new Job(machines)));
    }

    /**
     * The description of the job in the output.
     *
     * @param changes what the differences change
     * @param machines whose calibrations are used
     */
    DiffSettings describe(List<JobChange> changes, List<Machine> machines) {
      List<String> calibrations =
          machines.stream()
              .map(machine -> requests.apply(Job.ofEqual(machine, 1)).selectedCalibration())
              .flatMap(selected -> selected.calibration().stream())
              .map(Calibration::name)
              .distinct()
              .toList();
      Set<Source> sources = new HashSet<>();
      before.predictions().values().forEach(prediction -> sources.add(prediction.source()));
      changes.forEach(change -> change.busbw().forEach(busbw -> sources.addAll(busbw.sources())));
      return new DiffSettings(
          count, before.nRanks(), before.failure(), calibrations, sources, shownBytes);
    }
  }
}
