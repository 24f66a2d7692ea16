package dev.topo.simulator.advice;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.evaluate.TimeChange;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * An alternative way to run a call, and its predicted time out of place.
 *
 * @param setup settings in addition to those of the job, and its buffers
 * @param forced the pair that the tuner plugin chooses; empty for NCCL's choice
 * @param algorithm the algorithm; empty for kernels of symmetric windows, and sends and receives
 * @param protocol the protocol; empty for kernels of symmetric windows
 * @param kernel the kernel of symmetric windows; empty if NCCL runs another
 * @param ctas number of thread blocks that are launched; each takes a multiprocessor
 * @param mostCtas largest number of thread blocks that NCCL's tuner allows
 * @param timeUs time from call to call in microseconds
 * @param range the range of the time; empty if unknown
 * @param source model from which the time comes
 */
public record Alternative(
    Call call,
    Setup setup,
    Optional<Pair> forced,
    Optional<Algorithm> algorithm,
    Optional<Protocol> protocol,
    Optional<SymmetricKernel> kernel,
    int ctas,
    int mostCtas,
    double timeUs,
    Optional<TimeRange> range,
    Source source) {
  /** A range of times in microseconds. */
  public record TimeRange(double lowUs, double highUs) {
    /** Creates the range between two ends; empty if one of them is unknown. */
    static Optional<TimeRange> of(OptionalDouble lowUs, OptionalDouble highUs) {
      return lowUs.isPresent() && highUs.isPresent()
          ? Optional.of(new TimeRange(lowUs.getAsDouble(), highUs.getAsDouble()))
          : Optional.empty();
    }
  }

  /** True if the time rests on measured constants of a node, so that a gain can be advised. */
  public boolean isCalibrated() {
    return source == Source.CALIBRATION;
  }

  /**
   * True if a gain can be derived from both times. As different models have different errors, this
   * is stricter than {@link TimeChange#areComparable}.
   */
  boolean isComparable(Alternative other) {
    return source == other.source && source.predictsTimes();
  }

  /** The differences to a job with plain buffers. */
  public Set<Lever> levers() {
    Set<Lever> levers = EnumSet.noneOf(Lever.class);
    levers.addAll(setup.levers());
    if (forced.isPresent()) {
      levers.add(Lever.PAIR);
    }
    return Collections.unmodifiableSet(levers);
  }

  public int effort() {
    return levers().stream().mapToInt(Lever::effort).sum();
  }

  /**
   * Names the algorithm and protocol, or the kernel: {@code Ring/LL}, {@code AllGather_ST}, {@code
   * Simple}.
   */
  public String launchName() {
    return kernel
        .map(SymmetricKernel::label)
        .orElseGet(
            () ->
                algorithm.map(known -> known.label() + "/").orElse("")
                    + protocol.map(Protocol::label).orElse(""));
  }

  /**
   * The key in the table of errors ({@link KnownGain}): {@code channels+pair}; for sends and
   * receives each lever ends in {@code .peer}.
   */
  public String basis() {
    Set<Lever> levers = EnumSet.noneOf(Lever.class);
    levers.addAll(levers());
    if (kernel.isEmpty() && levers.remove(Lever.SYMMETRIC)) {
      // Without a symmetric kernel, windows act as registered buffers.
      levers.add(Lever.REGISTERED);
    }
    boolean isCollective = call instanceof CollectiveCall;
    levers.remove(isCollective ? Lever.PEER_CHANNELS : Lever.CHANNELS);
    return QuantityFormat.joined(
        "+", levers, lever -> lever.label() + (isCollective ? "" : ".peer"));
  }
}
