package dev.topo.diagnose.fit;

import dev.topo.measured.Measurement;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Prediction.Source;
import dev.topo.simulator.Predictor;
import dev.topo.tuning.cost.CollectiveCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The times that a job predicts for some measurements.
 *
 * @param predictions one for each measurement, out of place and in place
 */
record Curve(List<Pair> predictions) {
  /** The range of 90 of 100 predictions reaches as many standard deviations to each side. */
  private static final double SIGMAS = 1.645;

  /** Where no range is known, small calls between nodes were up to five times as long. */
  private static final double UNKNOWN = 1;

  /** Large calls are bound by links, whose speed is known better. */
  private static final double UNKNOWN_OF_LARGE = 0.5;

  private static final long LARGE = 1 << 24;

  Curve {
    predictions = List.copyOf(predictions);
  }

  /** The predictions of a measurement. */
  record Pair(Prediction outOfPlace, Prediction inPlace) {
    /** What a job predicts for a measurement; empty if NCCL would not run it. */
    static Optional<Pair> of(Predictor predictor, Measurement one) {
      CollectiveCall call = CollectiveCall.of(one.collective(), one.sizeBytes());
      return predictor
          .predict(call, one.forced(), false)
          .flatMap(out -> predictor.predict(call, one.forced(), true).map(in -> new Pair(out, in)));
    }
  }

  /** The times; empty if NCCL cannot run one of the calls. */
  static Optional<Curve> of(
      List<Measurement> measurements, Function<Measurement, Optional<Pair>> predictor) {
    List<Pair> pairs = new ArrayList<>();
    for (Measurement one : measurements) {
      Optional<Pair> pair = predictor.apply(one);
      if (pair.isEmpty()) {
        return Optional.empty();
      }
      pairs.add(pair.get());
    }
    return Optional.of(new Curve(pairs));
  }

  /** The time out of place with the effect of a hypothesis. */
  double timeUs(int at, Hypothesis.Effect effect) {
    return timeUs(predictions.get(at).outOfPlace(), effect);
  }

  /** The time that data is on its way between nodes. */
  private static double onNetworkUs(Prediction prediction) {
    return prediction.source() == Source.NETWORK ? prediction.estimate().transferUs() : 0;
  }

  /**
   * Standard deviation of a single time: that of a busy network, as far as the call waits for it.
   */
  double noise(int at, Hypothesis.Effect effect) {
    Prediction prediction = predictions.get(at).outOfPlace();
    double share = effect.networkFactor() * onNetworkUs(prediction) / timeUs(prediction, effect);
    return Math.hypot(Hypothesis.Effect.USUAL_NOISE, share * effect.jitter());
  }

  private static double timeUs(Prediction prediction, Hypothesis.Effect effect) {
    double longer = (effect.networkFactor() - 1) * onNetworkUs(prediction);
    return Math.max(prediction.timeUs() + longer, effect.floorUs());
  }

  /** Logarithm of measured by predicted time, the mean of out of place and in place. */
  double residual(int at, Measurement measured, Hypothesis.Effect effect) {
    Pair pair = predictions.get(at);
    return (Math.log(measured.timeUs() / timeUs(pair.outOfPlace(), effect))
            + Math.log(measured.inPlaceTimeUs() / timeUs(pair.inPlace(), effect)))
        / 2;
  }

  /**
   * What the logarithms of measured by predicted time differ by, out of place and in place: neither
   * links nor their speed change it, noise does.
   */
  double unevenness(int at, Measurement measured) {
    Pair pair = predictions.get(at);
    return Math.log(measured.timeUs() / measured.inPlaceTimeUs())
        - Math.log(pair.outOfPlace().timeUs() / pair.inPlace().timeUs());
  }

  /** The busbw that is predicted. */
  double busbwGBps(int at) {
    return predictions.get(at).outOfPlace().busbwGBps();
  }

  /** Whether most of the times are predicted, not only ranked. */
  boolean predictsTimes() {
    long known =
        predictions.stream().filter(pair -> pair.outOfPlace().source().predictsTimes()).count();
    return 2 * known >= predictions.size();
  }

  /** Standard deviation of the prediction's error, in logarithms. */
  double spread(int at) {
    Prediction prediction = predictions.get(at).outOfPlace();
    if (prediction.longestUs().isEmpty() || prediction.shortestUs().isEmpty()) {
      return prediction.call().sizeBytes() >= LARGE ? UNKNOWN_OF_LARGE : UNKNOWN;
    }
    double longer = prediction.longestUs().getAsDouble() / prediction.timeUs();
    double shorter = prediction.timeUs() / prediction.shortestUs().getAsDouble();
    return Math.min(UNKNOWN, Math.log(Math.max(longer, shorter)) / SIGMAS);
  }

  /** The longest time of the range; infinite if none is known. */
  double longestUs(int at) {
    return predictions.get(at).outOfPlace().longestUs().orElse(Double.POSITIVE_INFINITY);
  }
}
