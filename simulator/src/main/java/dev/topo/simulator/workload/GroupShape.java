package dev.topo.simulator.workload;

import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The places of the ranks of a communicator in their machines. Communicators of the same shape have
 * the same graphs and times if nothing else uses the machines.
 *
 * @param machines the machine of each node that has some of its ranks, in rank order
 * @param gpus for each of these nodes, the local indices of the ranks in it
 */
public record GroupShape(List<Machine> machines, List<List<Integer>> gpus) {
  public GroupShape {
    machines = List.copyOf(machines);
    gpus = List.copyOf(gpus);
  }

  /**
   * Returns a function that computes a value for each communicator of a job, once for those of the
   * same shape.
   *
   * @param compute computes the value of a communicator
   */
  public static <T> Function<ProcessGroup, T> each(Job job, Function<ProcessGroup, T> compute) {
    Map<GroupShape, T> results = new HashMap<>();
    return group -> {
      GroupShape shape = of(job, group.ranks());
      T result = results.get(shape);
      if (result == null) {
        result = compute.apply(group);
        results.put(shape, result);
      }
      return result;
    };
  }

  /**
   * Determines the shape of some ranks of a job.
   *
   * @throws IllegalArgumentException if the job has no such rank
   */
  static GroupShape of(Job job, List<Integer> ranks) {
    int[] nodeOf = new int[job.nRanks()];
    int[] localOf = new int[job.nRanks()];
    int rank = 0;
    for (int node = 0; node < job.machines().size(); node++) {
      for (int local = 0; local < job.machines().get(node).nRanks(); local++) {
        nodeOf[rank] = node;
        localOf[rank++] = local;
      }
    }
    Map<Integer, List<Integer>> byNode = new LinkedHashMap<>();
    for (int member : ranks) {
      if (member < 0 || member >= job.nRanks()) {
        throw new IllegalArgumentException("rank " + member + " of " + job.nRanks());
      }
      byNode.computeIfAbsent(nodeOf[member], key -> new ArrayList<>()).add(localOf[member]);
    }
    return new GroupShape(
        byNode.keySet().stream().map(node -> job.machines().get(node)).toList(),
        List.copyOf(byNode.values()));
  }
}
