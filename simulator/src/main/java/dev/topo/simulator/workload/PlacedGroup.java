package dev.topo.simulator.workload;

import dev.topo.model.operation.Call;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.network.Fabric;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A kind of group of a job whose nodes can be placed. Its communicators make the same calls at the
 * same time.
 *
 * @param name its name, as in {@code dp}
 * @param communicators communicators, evaluated beside the others of the kind; those of which no
 *     other has the same nodes and leaf switches
 * @param machines the indexes of the nodes of each communicator, in rank order
 * @param calls the number of each call in a step
 */
public record PlacedGroup(
    String name,
    List<JobResult> communicators,
    List<List<Integer>> machines,
    Map<Call, Integer> calls) {
  private static final double NO_TIME = Double.POSITIVE_INFINITY;

  public PlacedGroup {
    communicators = List.copyOf(communicators);
    machines = machines.stream().map(List::copyOf).toList();
    calls = Collections.unmodifiableMap(new LinkedHashMap<>(calls));
  }

  /**
   * The time of its calls in a step, in microseconds: that of the slowest communicator. Infinite if
   * the switches have no path for a call.
   *
   * @param fabric the hosts of all nodes of the job
   */
  double timeUs(Fabric fabric) {
    double slowest = 0;
    for (JobResult communicator : communicators) {
      JobResult placed =
          communicator.communicator().nNodes() > 1 ? communicator.on(fabric) : communicator;
      double sum = 0;
      for (Map.Entry<Call, Integer> call : calls.entrySet()) {
        boolean isRefused = placed.predictor().isRefused(call.getKey());
        double us = placed.predict(call.getKey()).map(Prediction::timeUs).orElse(NO_TIME);
        sum += call.getValue() * (isRefused ? NO_TIME : us);
      }
      slowest = Math.max(slowest, sum);
    }
    return slowest;
  }
}
