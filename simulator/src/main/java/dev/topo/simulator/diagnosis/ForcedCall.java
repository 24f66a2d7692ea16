package dev.topo.simulator.diagnosis;

import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import java.util.Optional;

/**
 * A call that can be predicted: a collective, or sends and receives.
 *
 * @param sizeBytes size as nccl-tests counts it
 * @param forced what NCCL was made to use; empty for its own choice
 */
record ForcedCall(Operation operation, long sizeBytes, Optional<Pair> forced) {
  /** A call by NCCL's own choice. */
  public static ForcedCall of(Operation operation, long sizeBytes) {
    return new ForcedCall(operation, sizeBytes, Optional.empty());
  }

  /** The collective; empty for sends and receives. */
  public Optional<Collective> collective() {
    return operation instanceof Collective collective ? Optional.of(collective) : Optional.empty();
  }
}
