package dev.topo.simulator.whatif;

import dev.topo.model.collective.Algorithm;
import dev.topo.model.collective.Protocol;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.Prediction.Source;
import java.util.Objects;

/**
 * What NCCL chooses for a call and how fast that is.
 *
 * @param call the call
 * @param algorithm the algorithm
 * @param protocol the protocol
 * @param channels channels that it runs on
 * @param timeUs time in microseconds
 * @param busbwGBps nccl-tests' busbw in GB/s
 * @param source what the time rests on
 */
public record Speed(
    CollectiveCall call,
    Algorithm algorithm,
    Protocol protocol,
    int channels,
    double timeUs,
    double busbwGBps,
    Source source) {
  /** Checks that no part is missing. */
  public Speed {
    Objects.requireNonNull(call, "call");
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(protocol, "protocol");
    Objects.requireNonNull(source, "source");
  }

  /** Whether the time rests on measured constants. */
  public boolean isCalibrated() {
    return source == Source.CALIBRATION;
  }

  /** Whether NCCL chooses the same. */
  public boolean isSameChoice(Speed other) {
    return algorithm == other.algorithm && protocol == other.protocol && channels == other.channels;
  }
}
