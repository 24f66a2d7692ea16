package dev.topo.workload.compare;

import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.node.GpuNode;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Evaluates the communicators of a job of equal machines; those of GPUs at the same places once.
 * Keeps what it has found.
 */
public final class GroupEvaluator {
  private final Job job;
  private final Function<Set<Integer>, Topology> subset;
  private final Function<Job, JobResult> evaluator;
  private final Map<GroupShape, JobResult> known = new HashMap<>();
  private final Map<List<Integer>, Machine> parts = new HashMap<>();

  /**
   * For a job.
   *
   * @param job its machines, which are equal
   * @param subset the machine with the GPUs of some device numbers only
   * @param evaluator evaluates a communicator
   */
  public GroupEvaluator(
      Job job, Function<Set<Integer>, Topology> subset, Function<Job, JobResult> evaluator) {
    this.job = job;
    this.subset = subset;
    this.evaluator = evaluator;
  }

  /** The communicator of some ranks. */
  public JobResult of(List<Integer> ranks) {
    GroupShape shape = GroupShape.of(job, ranks);
    JobResult result = known.get(shape);
    if (result == null) {
      List<Machine> machines = new ArrayList<>();
      for (int node = 0; node < shape.machines().size(); node++) {
        machines.add(part(shape.machines().get(node), shape.gpus().get(node)));
      }
      result = evaluator.apply(new Job(machines));
      known.put(shape, result);
    }
    return result;
  }

  private Machine part(Machine whole, List<Integer> localRanks) {
    return localRanks.size() == whole.nRanks()
        ? whole
        : parts.computeIfAbsent(
            localRanks,
            key -> {
              List<GpuNode> byRank =
                  whole.topology().gpus().stream()
                      .sorted(Comparator.comparingInt(GpuNode::rank))
                      .toList();
              Set<Integer> devices =
                  key.stream().map(byRank::get).map(GpuNode::dev).collect(Collectors.toSet());
              return new Machine(subset.apply(devices), whole.settings());
            });
  }
}
