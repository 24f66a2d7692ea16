package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The expected time of a call.
 *
 * @param timeUs time of its kernel in microseconds, from the arrival of the last rank to the end
 * @param lowUs the shortest time of the range; empty if no range is known
 * @param highUs the longest time of the range; empty if no range is known
 * @param algorithm the algorithm; empty for sends and receives
 * @param shape the launch size of the kernel; for sends and receives that of the rank with the most
 *     channels
 */
public record Expected(
    double timeUs,
    OptionalDouble lowUs,
    OptionalDouble highUs,
    Optional<Algorithm> algorithm,
    Optional<Protocol> protocol,
    LaunchSize shape) {
  /**
   * The error of the median of a kind of calls without overlap that 90 of 100 kinds in traces do
   * not exceed: 12 % below 1 MiB and 11 % from there on (docs/workload.md). These traces determine
   * it, so they are no evidence for it. It does not include launches, for which calls of nccl-tests
   * wait.
   */
  private static final double SPREAD = 0.12;

  /**
   * Derives the expected time from an estimate of the kernel.
   *
   * @param spread error that 90 of 100 calls of nccl-tests do not exceed; empty if unknown
   * @param moreRanks whether the job has more ranks than were measured
   */
  static Expected of(
      TimeEstimate kernel,
      OptionalDouble spread,
      boolean moreRanks,
      Optional<Algorithm> algorithm,
      Protocol protocol,
      LaunchSize shape) {
    double relativeError = Math.max(SPREAD, spread.orElse(0));
    return new Expected(
        kernel.timeUs(),
        spread.isEmpty() ? spread : OptionalDouble.of(kernel.shortestUs(relativeError)),
        spread.isEmpty() ? spread : OptionalDouble.of(kernel.longestUs(relativeError, moreRanks)),
        algorithm,
        Optional.of(protocol),
        shape);
  }

  /** Algorithm and protocol: {@code Ring/LL}; for sends and receives only the protocol. */
  public String launchName() {
    return algorithm.map(known -> known.label() + "/").orElse("")
        + protocol.map(Protocol::label).orElse("");
  }
}
