package dev.topo.simulator.workload;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.JobSplitter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Evaluates the communicators of a job of equal machines; communicators of GPUs at the same places
 * are evaluated once. Caches results; not thread-safe.
 */
public final class GroupEvaluator {
  private final JobSplitter splitter;
  private final BiFunction<Job, List<Integer>, JobResult> evaluator;
  private final boolean hasSwitches;
  private final Map<Key, JobResult> results = new HashMap<>();

  /**
   * What an evaluation depends on: the machines with the GPUs of the communicator and, if the
   * switches between them matter, the nodes.
   */
  private record Key(Job communicator, List<Integer> nodes) {}

  /**
   * Creates an evaluator for a job.
   *
   * @param job the job; its machines are equal
   * @param subset returns the machine with only the GPUs of the given device numbers
   * @param evaluator evaluates a communicator on some nodes of the job
   * @param hasSwitches whether the result depends on which nodes are used, as with a map of the
   *     switches
   */
  public GroupEvaluator(
      Job job,
      Function<Set<Integer>, Topology> subset,
      BiFunction<Job, List<Integer>, JobResult> evaluator,
      boolean hasSwitches) {
    this.splitter =
        new JobSplitter(
            job,
            (node, gpus) ->
                subset.apply(gpus.stream().map(GpuNode::dev).collect(Collectors.toSet())));
    this.evaluator = evaluator;
    this.hasSwitches = hasSwitches;
  }

  /** Evaluates the communicator of some ranks of the job. */
  public JobResult of(List<Integer> ranks) {
    JobPart part = splitter.part(ranks);
    List<Integer> nodes = part.machines();
    return results.computeIfAbsent(
        new Key(part.job(), hasSwitches && nodes.size() > 1 ? nodes : List.of()),
        key -> evaluator.apply(part.job(), nodes));
  }
}
