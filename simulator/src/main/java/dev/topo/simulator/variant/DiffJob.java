package dev.topo.simulator.variant;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.SpecException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.variant.DiffResult.DiffSettings;
import dev.topo.simulator.variant.SplitChanges.Kind;
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
 * @param requests the calls and the calibration to evaluate a communicator with
 * @param nodes number of nodes; empty for 2 if the first machine has network ports, else 1
 * @param shownBytes sizes at which the text states busbw; empty for the default
 */
public record DiffJob(
    MachineFiles files,
    JobEvaluator evaluator,
    Function<JobPart, JobRequest> requests,
    Optional<Integer> nodes,
    List<Long> shownBytes) {
  /** Sizes at which the text states busbw where the user names none. */
  private static final List<Long> SHOWN = List.of(1L << 20, 64L << 20, 1L << 30);

  public DiffJob {
    shownBytes = shownBytes.isEmpty() ? SHOWN : List.copyOf(shownBytes);
  }

  /** The number of nodes of a job, as stated, else 2 if its machine has network ports. */
  public static int count(Optional<Integer> stated, Machine machine) {
    return stated.orElse(machine.topology().nets().isEmpty() ? 1 : 2);
  }

  /** Reads the compared machines, under the settings of the job. */
  public interface MachineFiles {
    String name(Path file);

    Machine machine(Path file);

    XmlElement tree(Path file);

    /** The communicators of a job on some hosts, equal ones once; several if it is split. */
    List<JobPart> parts(List<Path> hosts);

    /**
     * The parts of the job on hosts that are all like one edited file, which may be unusable by
     * itself.
     */
    List<JobPart> parts(XmlElement edited, int count);
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
    private final Path reference;
    private final int count;
    private final SplitChanges changes;

    /**
     * A job of machines like one.
     *
     * @param machine that machine
     */
    Trial(Path reference, Machine machine) {
      this.reference = reference;
      this.count = count(nodes, machine);
      this.changes = new SplitChanges(kinds(files.parts(Collections.nCopies(count, reference))));
    }

    private List<Kind> kinds(List<JobPart> parts) {
      return parts.stream()
          .map(part -> new Kind(part.colors(), JobAnswer.of(evaluator, requests.apply(part))))
          .toList();
    }

    /** Tries another file in the place of all machines. */
    void tryAll(Path other) {
      changes.add(kinds(files.parts(Collections.nCopies(count, other))));
    }

    /** Tries an edited file in the place of all machines. */
    void tryAll(XmlElement edited) {
      List<JobPart> parts;
      try {
        parts = files.parts(edited, count);
      } catch (TopologyFormatException | SpecException e) {
        changes.addFailure("not possible by itself: " + e.getMessage());
        return;
      }
      changes.add(kinds(parts));
    }

    /** Tries another file in the place of the last machine. */
    void tryOne(Path other) {
      List<Path> hosts = new ArrayList<>(Collections.nCopies(count - 1, reference));
      hosts.add(other);
      changes.add(kinds(files.parts(hosts)));
    }

    /** Changes for the communicators of the job, in the order in which they were tried. */
    List<SplitChanges.Changed> changed() {
      return changes.byCommunicator();
    }

    /**
     * The description of the job in the output.
     *
     * @param of the communicator, with what changes for it
     * @param machines whose calibrations are used
     */
    DiffSettings describe(SplitChanges.Changed of, List<Machine> machines) {
      List<String> calibrations =
          machines.stream()
              .map(
                  machine ->
                      requests.apply(JobPart.alone(Job.ofEqual(machine, 1))).selectedCalibration())
              .flatMap(selected -> selected.calibration().stream())
              .map(Calibration::name)
              .distinct()
              .toList();
      Set<Source> sources = new HashSet<>();
      of.before().predictions().values().forEach(prediction -> sources.add(prediction.source()));
      of.changes()
          .forEach(change -> change.busbw().forEach(busbw -> sources.addAll(busbw.sources())));
      return new DiffSettings(
          of.label(),
          count,
          of.before().nRanks(),
          of.before().failure(),
          calibrations,
          sources,
          shownBytes);
    }
  }
}
