package dev.topo.simulator.advice;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.search.tuning.CollectiveCall;
import java.util.Optional;

/**
 * A call that advice is for.
 *
 * @param operation the operation
 * @param bytes its size as nccl-tests counts it
 * @param call its data type and operator; empty for sends and receives
 */
public record AskedCall(Operation operation, long bytes, Optional<CollectiveCall> call) {
  /** A call of a collective. */
  public static AskedCall of(CollectiveCall call) {
    return new AskedCall(call.collective(), call.sizeBytes(), Optional.of(call));
  }

  /** A call of float as a sum, or of sends and receives. */
  public static AskedCall of(Operation operation, long bytes) {
    return new AskedCall(
        operation,
        bytes,
        operation instanceof Collective collective
            ? Optional.of(CollectiveCall.of(collective, bytes))
            : Optional.empty());
  }
}
