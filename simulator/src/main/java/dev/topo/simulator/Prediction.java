package dev.topo.simulator;

import dev.topo.model.collective.Algorithm;
import dev.topo.model.collective.Protocol;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.Objects;

/**
 * What a call takes by one algorithm and protocol.
 *
 * @param call the call
 * @param shape what NCCL does for it
 * @param estimate how long that takes
 * @param spread what 90 of 100 predictions by this calibration are off by at most, as a part
 */
public record Prediction(
    CollectiveCall call, CallShape shape, TimeEstimate estimate, double spread) {
  /** Checks that no part is missing. */
  public Prediction {
    Objects.requireNonNull(call, "call");
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(estimate, "estimate");
  }

  /** The algorithm. */
  public Algorithm algorithm() {
    return shape.algorithm();
  }

  /** The protocol. */
  public Protocol protocol() {
    return shape.protocol();
  }

  /** Time from call to call in microseconds. */
  public double timeUs() {
    return estimate.timeUs();
  }

  /** Time that 95 of 100 measurements exceed, where the calibration holds. */
  public double shortestUs() {
    return timeUs() / (1 + spread);
  }

  /** Time that 5 of 100 measurements exceed, where the calibration holds. */
  public double longestUs() {
    return timeUs() * (1 + spread);
  }

  /** Size by time in GB/s. */
  public double algbwGBps() {
    return BusBandwidth.algbwGBps(call.sizeBytes(), timeUs());
  }

  /** nccl-tests' busbw in GB/s. */
  public double busbwGBps() {
    return BusBandwidth.busbwGBps(call.collective(), call.sizeBytes(), timeUs(), shape.nRanks());
  }
}
