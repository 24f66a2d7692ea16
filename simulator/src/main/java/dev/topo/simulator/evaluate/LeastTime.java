package dev.topo.simulator.evaluate;

import dev.topo.model.operation.Operation;
import dev.topo.search.bound.JobBounds;
import dev.topo.search.bound.OperationBound;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Paths;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Keeps predictions above the time that no schedule beats. The model of the network counts the
 * ports of nodes one by one and the links inside a node by their own; ports that share a PCI link,
 * and a root with one link for all peers, are left to this. So are kernels for symmetric windows
 * where there is no NVSwitch, on which nothing was measured. Keeps the bounds that it has found;
 * not for use by several threads.
 */
final class LeastTime {
  private final Connection connection;
  private final Optional<Paths> actual;
  private final Map<Operation, Optional<OperationBound>> known = new HashMap<>();
  private Optional<JobBounds> bounds = Optional.empty();

  LeastTime(Connection connection, Optional<Paths> actual) {
    this.connection = connection;
    this.actual = actual;
  }

  /**
   * The estimate, or one that takes as long as the links need if it is shorter; of sends and
   * receives all parts are equal.
   */
  TimeEstimate raise(Operation operation, double bytes, TimeEstimate estimate) {
    return bound(operation)
        .map(bound -> estimate.atLeastOnLinks(bound.timeUs(bytes)))
        .orElse(estimate);
  }

  /** The time that no schedule beats, of equal parts; empty where no bound is known. */
  OptionalDouble timeUs(Operation operation, double bytes) {
    return bound(operation)
        .map(bound -> OptionalDouble.of(bound.timeUs(bytes)))
        .orElse(OptionalDouble.empty());
  }

  private Optional<OperationBound> bound(Operation operation) {
    return known.computeIfAbsent(
        operation,
        unseen -> {
          bounds = bounds.or(() -> Optional.of(new JobBounds(connection, actual, LinkScope.PATHS)));
          return bounds.get().bound(operation);
        });
  }
}
