package dev.topo.simulator.diagnosis;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.Predictor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The times that a job predicts for some measurements.
 *
 * @param predictions one for each measurement, out of place and in place
 */
record PredictedTimes(List<Pair> predictions) {
  /** The range of 90 of 100 predictions reaches as many standard deviations to each side. */
  private static final double SIGMAS = 1.645;

  /** Where no range is known, small calls between nodes were up to five times as long. */
  private static final double UNKNOWN = 1;

  /** Large calls are bound by links, whose speed is known better. */
  private static final double UNKNOWN_OF_LARGE = 0.5;

  private static final long LARGE = 1 << 24;

  /**
   * Latencies of two hosts with GPUs of a generation differ by such a part, one standard deviation:
   * by constants of H200, nine in ten calls of H100 below 256 KiB are within 15 %, and within 8 to
   * 9 % where the constants are those of the same host (docs/accuracy.md).
   */
  private static final double BETWEEN_HOSTS = 0.08;

  /** So many small calls show what launches take. */
  private static final int FEWEST = 3;

  PredictedTimes {
    predictions = List.copyOf(predictions);
  }

  /** The predictions of a call. */
  record Pair(CallTime outOfPlace, CallTime inPlace) {
    /** The predictions for a call; empty if NCCL would not run it, or no model covers it. */
    static Optional<Pair> of(Predictor predictor, ForcedCall call) {
      return time(predictor, call, false)
          .flatMap(out -> time(predictor, call, true).map(in -> new Pair(out, in)));
    }

    private static Optional<CallTime> time(Predictor predictor, ForcedCall call, boolean inPlace) {
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

  /** The times; empty if NCCL cannot run one of the calls. */
  static Optional<PredictedTimes> of(
      List<TimedCall> measurements, Function<ForcedCall, Optional<Pair>> predictor) {
    List<Pair> pairs = new ArrayList<>();
    for (TimedCall call : measurements) {
      Optional<Pair> pair = predictor.apply(call.call());
      if (pair.isEmpty()) {
        return Optional.empty();
      }
      pairs.add(pair.get());
    }
    return Optional.of(new PredictedTimes(pairs));
  }

  /** The time out of place with the effect of a hypothesis. */
  double timeUs(int at, Hypothesis.Effect effect) {
    return predictions.get(at).outOfPlace().timeUs(effect);
  }

  /**
   * Standard deviation of a single time: that of a busy network, as far as the call waits for it.
   */
  double noise(int at, Hypothesis.Effect effect) {
    CallTime time = predictions.get(at).outOfPlace();
    double share = effect.networkFactor() * time.networkUs() / time.timeUs(effect);
    return Math.hypot(Hypothesis.Effect.USUAL_NOISE, share * effect.jitter());
  }

  /** Logarithm of measured by predicted time, the mean of out of place and in place. */
  double residual(int at, TimedCall measured, Hypothesis.Effect effect) {
    Pair pair = predictions.get(at);
    return (Math.log(measured.timeUs() / pair.outOfPlace().timeUs(effect))
            + Math.log(measured.inPlaceTimeUs() / pair.inPlace().timeUs(effect)))
        / 2;
  }

  /**
   * The difference of the logarithms of measured by predicted time, out of place and in place:
   * neither links nor their speed change it, noise does.
   */
  double unevenness(int at, TimedCall measured) {
    Pair pair = predictions.get(at);
    return Math.log(measured.timeUs() / measured.inPlaceTimeUs())
        - Math.log(pair.outOfPlace().timeUs() / pair.inPlace().timeUs());
  }

  /** The busbw that is predicted. */
  double busbwGBps(int at) {
    return predictions.get(at).outOfPlace().busbwGBps();
  }

  /** True if most of the times are predicted, not only ranked. */
  boolean predictsTimes() {
    long known = predictions.stream().filter(pair -> pair.outOfPlace().predictsTimes()).count();
    return 2 * known >= predictions.size();
  }

  /**
   * Standard deviation of the prediction's error on a host that nothing was fitted to, in
   * logarithms.
   */
  double spread(int at, long sizeBytes) {
    CallTime prediction = predictions.get(at).outOfPlace();
    if (prediction.longestUs().isEmpty() || prediction.shortestUs().isEmpty()) {
      return sizeBytes >= LARGE ? UNKNOWN_OF_LARGE : UNKNOWN;
    }
    double longer = prediction.longestUs().getAsDouble() / prediction.timeUs();
    double shorter = prediction.timeUs() / prediction.shortestUs().getAsDouble();
    double ofRange = Math.log(Math.max(longer, shorter)) / SIGMAS;
    double latency = 1 - prediction.transferUs() / prediction.timeUs();
    return Math.min(UNKNOWN, Math.hypot(ofRange, latency * BETWEEN_HOSTS));
  }

  /**
   * The least time of a call on the host of the run: that of the fastest quarter of the calls that
   * may wait for launches, up to the end of the range of the shortest one. A host that launches
   * slowly is no fault, and no other cause has to explain it. 0 if nothing is known of it.
   */
  double hostFloorUs(List<TimedCall> measured) {
    double most =
        predictions.stream()
            .map(Pair::outOfPlace)
            .min(Comparator.comparingDouble(CallTime::timeUs))
            .map(shortest -> shortest.longestUs().orElse(0))
            .orElse(0.0);
    double[] waiting =
        IntStream.range(0, measured.size())
            .filter(i -> predictions.get(i).outOfPlace().timeUs() <= most)
            .mapToDouble(i -> Math.min(measured.get(i).timeUs(), measured.get(i).inPlaceTimeUs()))
            .sorted()
            .toArray();
    return waiting.length < FEWEST ? 0 : Math.min(most, waiting[waiting.length / 4]);
  }
}
