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
 * @param timeUs time of its kernels, from the arrival of the last rank to the end
 * @param lowUs the shortest time of the range; empty if no range is known
 * @param highUs the longest time of the range; empty if no range is known
 * @param algorithm the algorithm; empty for sends and receives
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
  /**
   * The error of the median of a kind of calls in traces of jobs that 90 of 100 calls do not
   * exceed, where they run alone: 12 % below 1 MiB and 11 % from there on (docs/workload.md). Set
   * by these traces, so that they are no evidence for it. Launches, which calls of nccl-tests wait
   * for, are not part of it.
   */
  private static final double SPREAD = 0.12;

  /**
   * Of an estimate of the kernel.
   *
   * @param spread what 90 of 100 calls of nccl-tests are off by at most; empty if that is not known
   * @param moreRanks whether there are more ranks than were measured
   */
  static Expected of(
      TimeEstimate kernel,
      OptionalDouble spread,
      boolean moreRanks,
      Optional<Algorithm> algorithm,
      Protocol protocol,
      LaunchSize shape,
      boolean isMeasured) {
    double part = Math.max(SPREAD, spread.orElse(0));
    return new Expected(
        kernel.timeUs(),
        spread.isEmpty() ? spread : OptionalDouble.of(kernel.shortestUs(part)),
        spread.isEmpty() ? spread : OptionalDouble.of(kernel.longestUs(part, moreRanks)),
        algorithm,
        Optional.of(protocol),
        shape,
        isMeasured);
  }

  /** By what NCCL runs the call, for people. */
  public String launchName() {
    return algorithm.map(known -> known.label() + "/").orElse("")
        + protocol.map(Protocol::label).orElse("");
  }
}
