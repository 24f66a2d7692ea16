package dev.topo.simulator.diagnosis;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.OptionalDouble;

/**
 * Predicted time of a call, with the parts of it that a fault can change.
 *
 * @param networkUs part of the time spent on transfers between nodes; 0 on one node
 * @param transferUs part of the time spent on moving data
 * @param channelBytes bus bytes of each channel if the channels copy the data with Simple,
 *     otherwise 0
 * @param shortestUs lower end of the range; empty if unknown
 * @param longestUs upper end of the range; empty if unknown
 * @param predictsTimes whether the time is a prediction and not only good for ranking algorithms
 */
record CallTime(
    double timeUs,
    double networkUs,
    double transferUs,
    double channelBytes,
    OptionalDouble shortestUs,
    OptionalDouble longestUs,
    double busbwGBps,
    boolean predictsTimes) {
  private static final double BYTES_PER_US_AT_1_GBPS = 1e3;

  static CallTime of(Prediction prediction) {
    TimeEstimate estimate = prediction.estimate();
    return new CallTime(
        estimate.timeUs(),
        prediction.source() == Source.NETWORK ? estimate.transferUs() : 0,
        estimate.transferUs(),
        isSimpleCopy(prediction)
            ? prediction.busbwGBps()
                * BYTES_PER_US_AT_1_GBPS
                * estimate.timeUs()
                / prediction.channels()
            : 0,
        prediction.shortestUs(),
        prediction.longestUs(),
        prediction.busbwGBps(),
        prediction.source().predictsTimes());
  }

  /** True if the channels copy the data with Simple: sends and receives, rings and trees. */
  private static boolean isSimpleCopy(Prediction prediction) {
    return prediction.protocol() == Protocol.SIMPLE
        && prediction.kernel().isEmpty()
        && prediction.channels() > 0
        && prediction
            .tunedAlgorithm()
            .map(algorithm -> algorithm == Algorithm.RING || algorithm == Algorithm.TREE)
            .orElse(true);
  }

  /** Time in microseconds under the effect of a hypothesis. */
  double timeUs(Hypothesis.Effect effect) {
    double extraNetworkUs = (effect.networkFactor() - 1) * networkUs;
    double copyUs =
        effect.channelGBps() > 0 ? channelBytes / BYTES_PER_US_AT_1_GBPS / effect.channelGBps() : 0;
    return Math.max(timeUs + extraNetworkUs + Math.max(0, copyUs - transferUs), effect.floorUs());
  }
}
