package dev.topo.simulator.compare;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** What a job of equal machines loses or gains by machines that differ from them. */
public final class DifferenceCost {
  private final JobEvaluator evaluator;
  private final Function<Job, JobRequest> requests;
  private final Machine reference;
  private final int nodes;
  private final JobAnswer before;

  /**
   * Evaluates the job of equal machines.
   *
   * @param requests the calls and the calibration to evaluate a job with
   * @param reference the machine
   * @param nodes how many of it the job has
   */
  public DifferenceCost(
      JobEvaluator evaluator, Function<Job, JobRequest> requests, Machine reference, int nodes) {
    this.evaluator = evaluator;
    this.requests = requests;
    this.reference = reference;
    this.nodes = nodes;
    this.before = answer(Job.ofEqual(reference, nodes));
  }

  private JobAnswer answer(Job job) {
    return JobAnswer.of(evaluator, requests.apply(job));
  }

  /** The job of equal machines. */
  public JobAnswer before() {
    return before;
  }

  /** What changes if all machines are like another. */
  public JobChange ofAll(Machine other) {
    return JobChange.of(before, answer(Job.ofEqual(other, nodes)));
  }

  /** What changes if the last machine is another. */
  public JobChange ofOne(Machine other) {
    List<Machine> machines = new ArrayList<>(Collections.nCopies(nodes - 1, reference));
    machines.add(other);
    return JobChange.of(before, answer(new Job(machines)));
  }
}
