package dev.topo.simulator.evaluate;

import dev.topo.search.connect.Connection;
import dev.topo.simulator.calibration.OwnTimes;
import dev.topo.simulator.calibration.OwnTimes.Correction;
import dev.topo.simulator.calibration.TimedCall;
import dev.topo.simulator.calibration.TimedCall.Parts;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.timing.TimeEstimate;
import java.util.OptionalDouble;

/**
 * Corrects predictions by measured times of the same machine.
 *
 * @param times the measured times
 * @param connection the job of the predictions
 */
record OwnCorrection(OwnTimes times, Connection connection) {
  /** The call of a prediction without measurements, with the parts of its time. */
  static TimedCall timed(Prediction prediction, Connection connection) {
    TimeEstimate estimate = prediction.estimate();
    double launch = estimate.launchShare();
    double inKernel = (1 - launch) / estimate.kernelUs();
    return new TimedCall(
        prediction.operation(),
        prediction.launchName(),
        connection.nNodes(),
        connection.nRanks(),
        prediction.sizeBytes(),
        prediction.timeUs(),
        new Parts(
            launch,
            inKernel * (estimate.startUs() + estimate.stepsUs()),
            inKernel * estimate.transferUs()));
  }

  /**
   * A corrected collective.
   *
   * @param isChosen whether NCCL chooses what is predicted, so that measured times of other sizes
   *     bound it
   * @param leastUs time that no schedule on the links is below
   */
  CollectivePrediction of(CollectivePrediction prediction, boolean isChosen, double leastUs) {
    Corrected corrected = corrected(prediction, isChosen, leastUs);
    return prediction.corrected(corrected.estimate, corrected.part, corrected.source);
  }

  /** Corrected sends and receives with equal parts. */
  PeerPrediction of(PeerPrediction prediction, double leastUs) {
    Corrected corrected = corrected(prediction, true, leastUs);
    return prediction.corrected(corrected.estimate, corrected.part, corrected.source);
  }

  /** A time of which the measured ones tell little still rests on its model. */
  private record Corrected(TimeEstimate estimate, OptionalDouble part, Source source) {}

  private Corrected corrected(Prediction prediction, boolean isChosen, double leastUs) {
    TimedCall call = timed(prediction, connection);
    Correction known = times.of(call);
    double factor = isChosen ? times.between(call, known.factor()) : known.factor();
    double least = leastUs / prediction.timeUs();
    return new Corrected(
        prediction.estimate().times(Math.max(factor, least)),
        part(prediction, known),
        known.isInformed() ? Source.OWN_TIMES : prediction.source());
  }

  /**
   * The relative error: that of the measured times or, where these tell little, that without them,
   * wider by as much as this machine differs from others.
   */
  private static OptionalDouble part(Prediction prediction, Correction known) {
    if (prediction.spread().isEmpty()) {
      return known.isInformed() ? OptionalDouble.of(known.part()) : OptionalDouble.empty();
    }
    double width =
        Math.log(prediction.longestUs().orElseThrow() / prediction.shortestUs().orElseThrow()) / 2;
    return OptionalDouble.of(Math.min(known.part(), Math.expm1(known.contrast() * width)));
  }
}
