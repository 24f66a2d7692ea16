package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import java.util.Optional;

/**
 * A call to predict: a collective, or sends and receives.
 *
 * @param sizeBytes size as nccl-tests counts it
 * @param forced algorithm and protocol that NCCL was forced to use; empty for its own choice
 */
record ForcedCall(Operation operation, long sizeBytes, Optional<Pair> forced) {
  /** Creates a call for which NCCL chooses algorithm and protocol. */
  static ForcedCall of(Operation operation, long sizeBytes) {
    return new ForcedCall(operation, sizeBytes, Optional.empty());
  }

  /** The call that was measured. */
  static ForcedCall of(MeasuredOperation measured) {
    return new ForcedCall(measured.operation(), measured.sizeBytes(), measured.forced());
  }

  /** Collective of the call; empty for sends and receives. */
  Optional<Collective> collective() {
    return operation instanceof Collective collective ? Optional.of(collective) : Optional.empty();
  }
}
