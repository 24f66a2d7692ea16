package dev.topo.workload.compare;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.workload.CallKind.LaunchSize;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the model expects of a call.
 *
 * @param timeUs time of its kernels, from the arrival of the last rank to the end
 * @param lowUs the shortest time of the range; empty if no range is known
 * @param highUs the longest time of the range; empty if no range is known
 * @param algorithm the algorithm; empty for sends and receives
 * @param protocol the protocol
 * @param shape the launch of the kernel; of sends and receives that of the rank with most channels
 * @param isMeasured whether the time rests on a calibration, not on NCCL's own model
 */
public record Expected(
    double timeUs,
    OptionalDouble lowUs,
    OptionalDouble highUs,
    Optional<Algorithm> algorithm,
    Optional<Protocol> protocol,
    LaunchSize shape,
    boolean isMeasured) {
  /** By what NCCL runs the call, for people. */
  public String by() {
    return algorithm.map(one -> one.label() + "/").orElse("")
        + protocol.map(Protocol::label).orElse("");
  }
}
