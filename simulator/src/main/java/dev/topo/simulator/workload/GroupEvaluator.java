package dev.topo.simulator.workload;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.Comparator;
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
  private final Job job;
  private final Function<Set<Integer>, Topology> subset;
  private final BiFunction<Job, List<Integer>, JobResult> evaluator;
  private final boolean hasSwitches;
  private final Map<Key, JobResult> results = new HashMap<>();
  private final Map<List<Integer>, Machine> parts = new HashMap<>();

  /**
   * What an evaluation depends on: the places of the GPUs and, if the switches between them matter,
   * the nodes.
   */
  private record Key(GroupShape shape, List<Integer> nodes) {}

  /**
   * Creates an evaluator for a job whose nodes are interchangeable.
   *
   * @param job the job; its machines are equal
   * @param subset returns the machine with only the GPUs of the given device numbers
   */
  public GroupEvaluator(
      Job job, Function<Set<Integer>, Topology> subset, Function<Job, JobResult> evaluator) {
    this(job, subset, (part, nodes) -> evaluator.apply(part), false);
  }

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
    this.job = job;
    this.subset = subset;
    this.evaluator = evaluator;
    this.hasSwitches = hasSwitches;
  }

  /** Evaluates the communicator of some ranks of the job. */
  public JobResult of(List<Integer> ranks) {
    GroupShape shape = GroupShape.of(job, ranks);
    int perNode = job.first().nRanks();
    List<Integer> nodes = ranks.stream().map(rank -> rank / perNode).distinct().toList();
    Key key = new Key(shape, hasSwitches && nodes.size() > 1 ? nodes : List.of());
    JobResult result = results.get(key);
    if (result == null) {
      List<Machine> machines = new ArrayList<>();
      for (int node = 0; node < shape.machines().size(); node++) {
        machines.add(part(shape.machines().get(node), shape.gpus().get(node)));
      }
      result = evaluator.apply(new Job(machines), nodes);
      results.put(key, result);
    }
    return result;
  }

  private Machine part(Machine machine, List<Integer> localRanks) {
    return localRanks.size() == machine.nRanks()
        ? machine
        : parts.computeIfAbsent(
            localRanks,
            key -> {
              List<GpuNode> byRank =
                  machine.topology().gpus().stream()
                      .sorted(Comparator.comparingInt(GpuNode::rank))
                      .toList();
              Set<Integer> devices =
                  key.stream().map(byRank::get).map(GpuNode::dev).collect(Collectors.toSet());
              return new Machine(subset.apply(devices), machine.settings());
            });
  }
}
