package dev.topo.simulator.diagnosis;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.OptionalDouble;

/**
 * Predicted time of a call, with the parts that causes change.
 *
 * @param networkUs part of the time for transfers between nodes
 * @param transferUs part of the time for moving data
 * @param channelBytes bytes of each channel with Simple; 0 with other protocols
 * @param shortestUs lower end of the range; empty if unknown
 * @param longestUs upper end of the range
 * @param predictsTimes whether times are predicted, not only ranked
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
  private static final double BYTES_PER_US = 1e3;

  static CallTime of(Prediction prediction) {
    TimeEstimate estimate = prediction.estimate();
    return new CallTime(
        estimate.timeUs(),
        prediction.source() == Source.NETWORK ? estimate.transferUs() : 0,
        estimate.transferUs(),
        isCopied(prediction)
            ? prediction.busbwGBps() * BYTES_PER_US * estimate.timeUs() / prediction.channels()
            : 0,
        prediction.shortestUs(),
        prediction.longestUs(),
        prediction.busbwGBps(),
        prediction.source().predictsTimes());
  }

  /** True if the channels copy the data with Simple: sends and receives, rings and trees. */
  private static boolean isCopied(Prediction prediction) {
    return prediction.protocol() == Protocol.SIMPLE
        && prediction.kernel().isEmpty()
        && prediction.channels() > 0
        && prediction
            .tunedAlgorithm()
            .map(algorithm -> algorithm == Algorithm.RING || algorithm == Algorithm.TREE)
            .orElse(true);
  }

  /** Time with the effect of a hypothesis. */
  double timeUs(Hypothesis.Effect effect) {
    double longer = (effect.networkFactor() - 1) * networkUs;
    double copied =
        effect.channelGBps() > 0 ? channelBytes / BYTES_PER_US / effect.channelGBps() : 0;
    return Math.max(timeUs + longer + Math.max(0, copied - transferUs), effect.floorUs());
  }
}
