package dev.topo.simulator.compare;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.simulator.Prediction.Source;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.SelectedCalibration;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The job in which differences are tried: how many nodes, under which settings, which calls. */
public final class DiffJob {
  /** Sizes at which the text states busbw where the user names none. */
  private static final List<Long> SHOWN = List.of(1L << 20, 64L << 20, 1L << 30);

  private final MachineFiles files;
  private final JobEvaluator evaluator;
  private final Function<Job, JobRequest> requests;
  private final Optional<Integer> nodes;
  private final List<Long> shownBytes;

  /**
   * A job.
   *
   * @param files reads the machines
   * @param requests the calls and the calibration to evaluate a job with
   * @param nodes number of nodes; empty for 2 if the first machine has network ports, else 1
   * @param shownBytes sizes at which the text states busbw; empty for the default
   */
  public DiffJob(
      MachineFiles files,
      JobEvaluator evaluator,
      Function<Job, JobRequest> requests,
      Optional<Integer> nodes,
      List<Long> shownBytes) {
    this.files = files;
    this.evaluator = evaluator;
    this.requests = requests;
    this.nodes = nodes;
    this.shownBytes = shownBytes.isEmpty() ? SHOWN : List.copyOf(shownBytes);
  }

  /** Reads the machines. */
  MachineFiles files() {
    return files;
  }

  /** Number of nodes for a job of this machine. */
  int nodes(Machine machine) {
    return nodes.orElse(machine.topology().nets().isEmpty() ? 1 : 2);
  }

  /** Evaluates what differences cost, in a job of equal machines. */
  DifferenceCost cost(Machine reference) {
    return new DifferenceCost(evaluator, requests, reference, nodes(reference));
  }

  /** The calibration that the user names, else the one that goes with a machine. */
  private SelectedCalibration calibration(Machine machine) {
    return requests.apply(Job.ofEqual(machine, 1)).selectedCalibration();
  }

  /**
   * The description of the job in the output.
   *
   * @param before the job before any difference
   * @param changes what the differences change
   * @param machines whose calibrations are used
   */
  DiffSettings describe(
      int count, JobAnswer before, List<JobChange> changes, List<Machine> machines) {
    List<String> calibrations =
        machines.stream()
            .flatMap(machine -> calibration(machine).calibration().stream())
            .map(Calibration::name)
            .distinct()
            .toList();
    Set<Source> sources = new HashSet<>(before.sources());
    changes.forEach(change -> change.busbw().forEach(one -> sources.addAll(one.sources())));
    return new DiffSettings(
        count, before.nRanks(), before.failure(), calibrations, sources, shownBytes);
  }
}
