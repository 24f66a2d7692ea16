package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.CallPredictor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Predicted times of a job for some measurements.
 *
 * @param predictions predictions for each measurement, out of place and in place
 */
record PredictedTimes(List<Pair> predictions) {
  /** Standard deviations from the centre to each end of a range that holds 90 of 100 times. */
  private static final double SIGMAS = 1.645;

  /**
   * Standard deviation, in logarithms, if no range is known: small calls between nodes took up to
   * five times the predicted time.
   */
  private static final double UNKNOWN = 1;

  /** The same for large calls, which are bound by links with better known speeds. */
  private static final double UNKNOWN_LARGE = 0.5;

  private static final long LARGE = 1 << 24;

  /**
   * Relative standard deviation of latencies between hosts with GPUs of one generation: with
   * constants of H200, nine in ten calls of H100 below 256 KiB are within 15 %, and within 8 to 9 %
   * with constants of the same host (docs/accuracy.md).
   */
  private static final double BETWEEN_HOSTS = 0.08;

  /** Least number of calls from which the launch time of a host can be told. */
  private static final int LEAST_WAITING = 3;

  PredictedTimes {
    predictions = List.copyOf(predictions);
  }

  /** Predictions of a call, out of place and in place. */
  record Pair(CallTime outOfPlace, CallTime inPlace) {
    /** Predictions of a call; empty if NCCL would not run it or no model covers it. */
    static Optional<Pair> of(CallPredictor predictor, ForcedCall call) {
      return time(predictor, call, false)
          .flatMap(out -> time(predictor, call, true).map(in -> new Pair(out, in)));
    }

    private static Optional<CallTime> time(
        CallPredictor predictor, ForcedCall call, boolean inPlace) {
      if (call.operation() instanceof PeerOperation operation) {
        return predictor
            .peers()
            .flatMap(known -> known.predict(operation, call.sizeBytes(), inPlace))
            .map(CallTime::of);
      }
      return call.collective()
          .flatMap(
              collective ->
                  predictor.predict(
                      CollectiveCall.of(collective, call.sizeBytes()), call.forced(), inPlace))
          .map(CallTime::of);
    }
  }

  /** Predicted times of all measurements; empty if NCCL cannot run one of the calls. */
  static Optional<PredictedTimes> of(
      List<MeasuredOperation> measurements, Function<ForcedCall, Optional<Pair>> predictor) {
    List<Pair> pairs = new ArrayList<>();
    for (MeasuredOperation call : measurements) {
      Optional<Pair> pair = predictor.apply(ForcedCall.of(call));
      if (pair.isEmpty()) {
        return Optional.empty();
      }
      pairs.add(pair.get());
    }
    return Optional.of(new PredictedTimes(pairs));
  }

  /** Time out of place with the effect of a hypothesis. */
  double timeUs(int at, Hypothesis.Effect effect) {
    return predictions.get(at).outOfPlace().timeUs(effect);
  }

  /**
   * Standard deviation of the noise of a single time, in logarithms: the usual noise and, for the
   * part of the time that waits for the network, that of other traffic.
   */
  double noise(int at, Hypothesis.Effect effect) {
    CallTime time = predictions.get(at).outOfPlace();
    double share = effect.networkFactor() * time.networkUs() / time.timeUs(effect);
    return Math.hypot(Hypothesis.Effect.USUAL_NOISE, share * effect.jitter());
  }

  /**
   * Logarithm of the ratio of measured to predicted time, averaged over out of place and in place.
   */
  double residual(int at, MeasuredOperation measured, Hypothesis.Effect effect) {
    Pair pair = predictions.get(at);
    return (Math.log(measured.timeUs() / pair.outOfPlace().timeUs(effect))
            + Math.log(measured.inPlaceTimeUs() / pair.inPlace().timeUs(effect)))
        / 2;
  }

  /**
   * Difference of the logarithms of measured to predicted time between out of place and in place.
   * Noise changes it, the speed of links does not.
   */
  double unevenness(int at, MeasuredOperation measured) {
    Pair pair = predictions.get(at);
    return Math.log(measured.timeUs() / measured.inPlaceTimeUs())
        - Math.log(pair.outOfPlace().timeUs() / pair.inPlace().timeUs());
  }

  /** Part of the time out of place that transfers between nodes take; 0 on one node. */
  double networkUs(int at) {
    return predictions.get(at).outOfPlace().networkUs();
  }

  /** Predicted busbw in GB/s. */
  double busbwGBps(int at) {
    return predictions.get(at).outOfPlace().busbwGBps();
  }

  /** True if at least half of the times are predictions, not only rankings. */
  boolean predictsTimes() {
    long known = predictions.stream().filter(pair -> pair.outOfPlace().predictsTimes()).count();
    return 2 * known >= predictions.size();
  }

  /**
   * Standard deviation, in logarithms, of the prediction's error on a host to which it was not
   * fitted.
   */
  double spread(int at, long sizeBytes) {
    CallTime prediction = predictions.get(at).outOfPlace();
    if (prediction.longestUs().isEmpty() || prediction.shortestUs().isEmpty()) {
      return sizeBytes >= LARGE ? UNKNOWN_LARGE : UNKNOWN;
    }
    double longer = prediction.longestUs().getAsDouble() / prediction.timeUs();
    double shorter = prediction.timeUs() / prediction.shortestUs().getAsDouble();
    double rangeSpread = Math.log(Math.max(longer, shorter)) / SIGMAS;
    double latencyShare = 1 - prediction.transferUs() / prediction.timeUs();
    return Math.min(UNKNOWN, Math.hypot(rangeSpread, latencyShare * BETWEEN_HOSTS));
  }

  /**
   * Least time of a call on the host of the run, in microseconds; 0 if unknown. It is the lower
   * quartile of the measured times of the calls that may wait for launches, at most the upper end
   * of the range of the shortest call. A host that launches slowly within that range is healthy,
   * and no other cause should explain its times.
   */
  double hostFloorUs(List<MeasuredOperation> measured) {
    double mostUs =
        predictions.stream()
            .map(Pair::outOfPlace)
            .min(Comparator.comparingDouble(CallTime::timeUs))
            .map(shortest -> shortest.longestUs().orElse(0))
            .orElse(0.0);
    double[] waiting =
        IntStream.range(0, measured.size())
            .filter(i -> predictions.get(i).outOfPlace().timeUs() <= mostUs)
            .mapToDouble(i -> Math.min(measured.get(i).timeUs(), measured.get(i).inPlaceTimeUs()))
            .sorted()
            .toArray();
    return waiting.length < LEAST_WAITING ? 0 : Math.min(mostUs, waiting[waiting.length / 4]);
  }
}
