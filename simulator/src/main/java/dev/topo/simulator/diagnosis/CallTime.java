package dev.topo.simulator.diagnosis;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.CollectivePrediction;
import dev.topo.simulator.evaluate.PeerPrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.OptionalDouble;

/**
 * The predicted time of a call, as far as causes change it.
 *
 * @param timeUs the time in microseconds
 * @param networkUs the part of it that transfers between nodes take
 * @param transferUs the part of it in which data moves
 * @param channelBytes what each channel carries by Simple; 0 by other protocols
 * @param shortestUs the shortest time of the range; empty if none is known
 * @param longestUs the longest
 * @param busbwGBps the busbw
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

  static CallTime of(CollectivePrediction one) {
    boolean isCopied =
        one.protocol() == Protocol.SIMPLE
            && one.kernel().isEmpty()
            && (one.algorithm() == Algorithm.RING || one.algorithm() == Algorithm.TREE);
    return of(
        one.estimate(),
        one.source(),
        isCopied ? one.channels() : 0,
        one.shortestUs(),
        one.longestUs(),
        one.busbwGBps());
  }

  static CallTime of(PeerPrediction one) {
    return of(
        one.estimate(),
        one.source(),
        one.protocol() == Protocol.SIMPLE ? one.channels() : 0,
        one.shortestUs(),
        one.longestUs(),
        one.busbwGBps());
  }

  private static CallTime of(
      TimeEstimate estimate,
      Source source,
      int channels,
      OptionalDouble shortestUs,
      OptionalDouble longestUs,
      double busbwGBps) {
    return new CallTime(
        estimate.timeUs(),
        source == Source.NETWORK ? estimate.transferUs() : 0,
        estimate.transferUs(),
        channels == 0 ? 0 : busbwGBps * BYTES_PER_US * estimate.timeUs() / channels,
        shortestUs,
        longestUs,
        busbwGBps,
        source.predictsTimes());
  }

  /** The time with the effect of a hypothesis. */
  double timeUs(Hypothesis.Effect effect) {
    double longer = (effect.networkFactor() - 1) * networkUs;
    double copied =
        effect.channelGBps() > 0 ? channelBytes / BYTES_PER_US / effect.channelGBps() : 0;
    return Math.max(timeUs + longer + Math.max(0, copied - transferUs), effect.floorUs());
  }
}
