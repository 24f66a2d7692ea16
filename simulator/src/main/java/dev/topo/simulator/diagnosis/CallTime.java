package dev.topo.simulator.diagnosis;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.OptionalDouble;

/**
 * The predicted time of a call, as far as causes change it.
 *
 * @param networkUs the part of it that transfers between nodes take
 * @param transferUs the part of it in which data moves
 * @param channelBytes what each channel carries by Simple; 0 by other protocols
 * @param shortestUs the shortest time of the range; empty if none is known
 * @param longestUs the longest
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

  /** True if the channels copy the data by Simple: sends and receives, rings and trees. */
  private static boolean isCopied(Prediction prediction) {
    return prediction.protocol() == Protocol.SIMPLE
        && prediction.kernel().isEmpty()
        && prediction.channels() > 0
        && prediction
            .tunedAlgorithm()
            .map(algorithm -> algorithm == Algorithm.RING || algorithm == Algorithm.TREE)
            .orElse(true);
  }

  /** The time with the effect of a hypothesis. */
  double timeUs(Hypothesis.Effect effect) {
    double longer = (effect.networkFactor() - 1) * networkUs;
    double copied =
        effect.channelGBps() > 0 ? channelBytes / BYTES_PER_US / effect.channelGBps() : 0;
    return Math.max(timeUs + longer + Math.max(0, copied - transferUs), effect.floorUs());
  }
}
